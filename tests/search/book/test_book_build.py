"""Builds of books: they survive being stopped, are shared out, and leave other files alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel.disk import FILE, FOLDER, STORED, noted
from search.book.small_books import SMALL, Draws, build, solver

from plyboard.errors import NotationError, UnusableError, UsageError
from plyboard.games.connect_four import ConnectFour
from plyboard.search.book.book import Book
from plyboard.search.book.build import BookBuild, merge_builds


def test_a_build_that_was_stopped_goes_on(small: Book, tmp_path: Path) -> None:
    file = tmp_path / "x.book"
    stopped = BookBuild(SMALL, 8, file)
    stopped.begin()
    for key in stopped.unsolved[:50]:
        stopped.solve(key, solver(SMALL))
    stopped.close()
    with stopped.part.open("ab") as part:
        part.write(b"1122334")  # the power went while this was written

    again = BookBuild(SMALL, 8, file)
    again.begin()
    assert len(again.scores) == 50
    assert len(again.unsolved) == len(again.openings[-1]) - 50
    for key in again.unsolved:
        again.solve(key, solver(SMALL))
    assert b"1122334\n" not in again.part.read_bytes()
    assert again.finish() == small
    assert not again.part.exists()
    assert Book.load(file) == small


def test_solved_positions_and_the_book_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, events = solver(SMALL), noted(monkeypatch)
    work = BookBuild(SMALL, 1, tmp_path / "x.book")
    work.begin()
    assert events[:2] == [FOLDER, FILE]  # the new name, and the line that tells which book it is
    for key in work.unsolved:
        work.solve(key, known)
    events.clear()
    work.close()
    assert events == [FILE]
    work.finish()

    assert events[1:] == STORED
    assert not work.part.exists()


def test_a_torn_score_is_not_believed(tmp_path: Path) -> None:
    work = BookBuild(SMALL, 2, tmp_path / "x.book")
    work.begin()
    work.solve(work.unsolved[0], solver(SMALL))
    work.close()
    whole = work.part.read_bytes()
    work.part.write_bytes(whole[:-1])

    again = BookBuild(SMALL, 2, tmp_path / "x.book")
    again.begin()
    again.close()

    assert again.scores == {}
    assert again.part.read_bytes() == whole[: whole.index(b"\n") + 1]


@pytest.mark.parametrize("data", [b"", b"plyboard bo"])
def test_a_build_that_was_stopped_at_its_first_line_starts_anew(
    data: bytes, tmp_path: Path
) -> None:
    (tmp_path / "x.book.part").write_bytes(data)

    assert len(build(SMALL, 1, tmp_path / "x.book")) == 3


@pytest.mark.parametrize(
    "data",
    [
        b"plyboard book 1: connect-four:columns=4,rows=4 plies=3\n",
        b"plyboard book 1: connect-four plies=2\n",
        b"something else",
        b"\xff\xfe\n",
        b"\n",
    ],
)
def test_work_on_another_book_is_left_alone(data: bytes, tmp_path: Path) -> None:
    part = tmp_path / "x.book.part"
    part.write_bytes(data)
    with pytest.raises(NotationError, match="other work at"):
        BookBuild(SMALL, 2, tmp_path / "x.book").begin()

    assert part.read_bytes() == data


@pytest.mark.parametrize("line", ["", "11", "11 x", "11 99", "55 0", "12 0 ", "11 -0", "111 0"])
def test_a_damaged_line_of_solved_work_is_named(line: str, tmp_path: Path) -> None:
    work = BookBuild(SMALL, 2, tmp_path / "x.book")
    work.begin()
    work.close()
    with work.part.open("a") as part:
        part.write(f"{line}\n")

    with pytest.raises(NotationError, match="line 2: got"):
        BookBuild(SMALL, 2, tmp_path / "x.book").begin()


def solve_share(which: int, of: int, file: Path) -> BookBuild:
    work = BookBuild(SMALL, 3, file, share=(which, of))
    work.begin()
    for key in work.unsolved:
        work.solve(key, Draws())
    work.close()
    return work


@pytest.mark.parametrize("of", [1, 2, 5, 26, 40])
def test_shares_have_every_position_once(of: int, tmp_path: Path) -> None:
    shares = [BookBuild(SMALL, 3, tmp_path / "x", share=(which, of)) for which in range(1, of + 1)]
    keys = [key for share in shares for key in share.unsolved]

    assert keys == list(shares[0].openings[-1])
    assert len({share.part for share in shares}) == of


def test_a_share_that_was_stopped_goes_on(tmp_path: Path) -> None:
    work = solve_share(2, 3, tmp_path / "x.book")
    again = BookBuild(SMALL, 3, tmp_path / "x.book", share=(2, 3))
    again.begin()
    again.close()

    assert again.scores == work.scores
    assert not again.unsolved


def test_shares_that_disagree_are_refused(tmp_path: Path) -> None:
    first, second = (solve_share(which, 2, tmp_path / "x.book") for which in (1, 2))
    line = first.part.read_text().splitlines()[1]
    with second.part.open("a") as part:
        part.write(f"{line[:-1]}1\n")

    with pytest.raises(NotationError, match=r"another score at .* line 15: got .* expected 0, as"):
        merge_builds([first.part, second.part], tmp_path / "x.book")
    assert not (tmp_path / "x.book").exists()


def test_work_on_another_book_is_not_merged(tmp_path: Path) -> None:
    first, other = solve_share(1, 2, tmp_path / "x.book"), tmp_path / "other"
    other.write_text("plyboard book 1: connect-four:columns=4,rows=4 plies=2\n")

    with pytest.raises(NotationError, match="other work at"):
        merge_builds([first.part, other], tmp_path / "x.book")
    other.write_text("plyboard book 1: connect-four:columns=4,rows=4 plies=16\n")
    with pytest.raises(UsageError, match="wrong plies"):
        merge_builds([other], tmp_path / "x.book")
    other.write_text("plyboard book 1: squatter plies=2\n")
    with pytest.raises(UsageError, match="cannot solve Squatter"):
        merge_builds([other], tmp_path / "x.book")


def test_a_book_that_exists_is_replaced_only_by_force(tmp_path: Path) -> None:
    file = tmp_path / "x.book"
    file.write_text("mine")
    with pytest.raises(UnusableError, match="exists"):
        BookBuild(SMALL, 1, file).begin()
    assert not (tmp_path / "x.book.part").exists()

    work = BookBuild(SMALL, 0, file, force=True)
    work.begin()
    work.solve(work.unsolved[0], solver(SMALL))
    work.finish()

    assert len(Book.load(file)) == 1


def test_boards_that_cannot_be_solved_have_no_book(tmp_path: Path) -> None:
    for game, plies in ((ConnectFour(9, 8), 1), (ConnectFour(5, 5, 3), 1), (SMALL, 16)):
        with pytest.raises(UsageError):
            BookBuild(game, plies, tmp_path / "x.book")


def test_a_build_goes_on_before_the_zeros_that_a_loss_of_power_left(tmp_path: Path) -> None:
    work = BookBuild(SMALL, 2, tmp_path / "x.book")
    work.begin()
    for key in work.unsolved:
        work.solve(key, Draws())
    work.close()
    data = work.part.read_bytes()
    middle = len(data) - 15
    work.part.write_bytes(data[:middle] + bytes(9) + data[middle + 9 :] + bytes(500))

    again = BookBuild(SMALL, 2, work.out)
    again.begin()
    again.close()
    kept = again.part.read_bytes()
    assert data.startswith(kept)
    assert len(kept) >= middle - 20
    assert 0 < len(again.scores) < len(work.scores)


def test_moves_on_wide_boards_are_kept_apart(tmp_path: Path) -> None:
    work = BookBuild(ConnectFour(10, 1), 1, tmp_path / "x.book")
    work.begin()
    for key in work.unsolved:
        work.solve(key, Draws())
    work.close()
    again = BookBuild(work.game, 1, work.out)
    again.begin()
    again.close()

    assert again.scores == work.scores
