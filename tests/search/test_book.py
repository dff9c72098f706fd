"""Opening books hold what the solver says, survive being stopped, and notice every damage."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from plyboard.errors import GameOverError, NotationError, PlyboardError, UnusableError, UsageError
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import Word
from plyboard.search import book as books
from plyboard.search import book_bitbully as bitbully
from plyboard.search.book import (
    DIGEST,
    HEADER,
    Book,
    Page,
    book_solution,
    decoded,
    keys_of,
    shipped_book,
)
from plyboard.search.book_build import Build, faults, merged, openings
from plyboard.search.solver import Solution, Solver

SMALL, WIDE = ConnectFour(4, 4), ConnectFour(5, 4)
SETS = sorted((Path(__file__).parent.parent / "data" / "connect_four").glob("Test_*"))
# Positions of 7x6 that are not over, mirror images once.
OPENINGS_7X6 = [1, 4, 25, 121, 568, 2144]


@cache
def solver(game: ConnectFour) -> Solver:
    return Solver(game, 4)


class Draws(Solver):
    """Calls everything a draw, and needs nothing compiled for it."""

    def __init__(self) -> None:
        pass

    def solve(self, *_: object, **__: object) -> Solution:
        return Solution(0, 0, 0, 0.0)


def build(game: ConnectFour, plies: int, file: Path, by: Solver | None = None) -> Book:
    work = Build(game, plies, file)
    work.begin()
    for key in work.unsolved:
        work.solve(key, by or solver(game))
    return work.finish()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return build(SMALL, 8, tmp_path_factory.mktemp("book") / "small.book")


def sealed(data: bytes) -> bytes:
    """Return the bytes of a book with a checksum that fits, whatever they say."""
    return data + hashlib.sha256(data).digest()


def at_most(positions: list[Position], count: int) -> list[Position]:
    return positions[:: max(len(positions) // count, 1)]


@cache
def plain(position: Position) -> int:
    """Score a position by trying everything: the discs the winner has left, plus one."""
    outcome = position.outcome()
    if outcome is None:
        return max(-plain(position.play(move)) for move in position.legal_moves())
    if outcome.winner is None:
        return 0
    cells = len(position.text()) - position.text().count("/") - 2
    played = cells - position.text().count(".")
    discs_left = (cells + 1) // 2 - (played + 1) // 2 if played % 2 else cells // 2 - played // 2
    return -(discs_left + 1)


@pytest.mark.parametrize(("game", "plies"), [(SMALL, 6), (WIDE, 5)])
def test_every_entry_is_what_the_solver_says(game: ConnectFour, plies: int, tmp_path: Path) -> None:
    book = build(game, plies, tmp_path / "x.book")

    for position, score in book.entries():
        assert score == solver(game).solve(position).score, position.text()


def test_entries_are_what_plain_trying_says(small: Book) -> None:
    positions = [position for position, _ in small.entries()]

    for position in at_most(positions[-len(small.pages[-1].keys) :], 40):
        assert small.score(position) == plain(position), position.text()


def test_a_position_and_its_mirror_image_share_an_entry(small: Book) -> None:
    mirror = SMALL.rules.symmetries[0].state

    for position, score in small.entries():
        assert small.score(Position.of(SMALL, mirror(position.state))) == score
    assert small.score(Position(SMALL).play("1")) == small.score(Position(SMALL).play("4"))


def test_every_reachable_position_is_in_the_book_until_the_game_is_over(small: Book) -> None:
    def visit(position: Position, plies: int) -> None:
        known = small.score(position) is not None
        assert known == (position.outcome() is None)
        for move in position.legal_moves() if plies else ():
            visit(position.play(move), plies - 1)

    visit(Position(SMALL), 5)


def test_keys_are_read_back_as_the_state_or_its_mirror_image() -> None:
    game = ConnectFour(7, 6)
    keys, mirror = keys_of(game), game.rules.symmetries[0].state
    for actions in openings(game, 3)[-1].values():
        state = Position(game).play(*actions).state

        assert keys.state(keys.key(state)) in (state, mirror(state))


def test_a_key_may_fill_its_word() -> None:
    game = ConnectFour(8, 7)
    state = (Word(0), game.board.full[0])

    assert keys_of(game).key(state) == sum(1 << 8 * column + 7 for column in range(8))
    assert keys_of(game).state(keys_of(game).key(state)) == state


def test_what_a_book_does_not_hold_has_no_score(small: Book) -> None:
    position = Position(SMALL).play(*"111122223")  # one ply too far

    assert small.score(position) is None
    assert small.score(Position(SMALL).play(*"1212121")) is None  # over
    assert small.score(Position(WIDE)) is None
    assert small.score(Position("conniption")) is None
    assert small.covers(SMALL)
    assert not small.covers(WIDE)
    assert len(small) == sum(len(page.keys) for page in small.pages)


def test_there_are_as_many_openings_of_the_usual_board_as_counted() -> None:
    assert [len(ply) for ply in openings(ConnectFour(), 5)] == OPENINGS_7X6


def test_a_book_reads_back(small: Book, tmp_path: Path) -> None:
    file = tmp_path / "x.book"
    file.write_bytes(small.encoded())

    assert Book.load(file) == small
    assert Book.load(str(file)).encoded() == small.encoded()


def test_a_book_up_to_the_end_of_the_game_has_empty_or_solved_plies(tmp_path: Path) -> None:
    book = build(ConnectFour(2, 2), 3, tmp_path / "x.book", Draws())

    assert [list(page.scores) for page in book.pages] == [[0], [0], [0] * 2, [0] * 3]
    assert list(faults(book)) == []


def test_a_book_of_the_empty_board_alone(tmp_path: Path) -> None:
    book = build(SMALL, 0, tmp_path / "x.book")

    assert len(book) == 1
    assert book.score(Position(SMALL)) == 0


# ----------------------------------------------------------------------------------------- damage


@pytest.fixture
def little() -> bytes:
    keys = keys_of(SMALL)
    pages = [{keys.key(Position(SMALL).state): 0}, {}]
    pages[1] = {keys.key(Position(SMALL).play(move).state): 0 for move in "12"}
    return Book(SMALL, tuple(map(Page.of, pages))).encoded()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refusal(data: bytes) -> PlyboardError:
    Path("x.book").write_bytes(data)
    with pytest.raises((NotationError, UnusableError)) as caught:
        Book.load("x.book")
    assert "'x.book': " in str(caught.value)
    return caught.value


def test_a_book_cut_off_anywhere_is_refused(little: bytes) -> None:
    for length in range(len(little)):
        assert isinstance(refusal(little[:length]), NotationError)


def test_a_book_with_any_bit_changed_is_refused(little: bytes) -> None:
    for place in range(len(little)):
        for bit in range(8):
            changed = bytearray(little)
            changed[place] ^= 1 << bit
            refusal(bytes(changed))


def test_a_book_with_bytes_at_its_end_is_refused(little: bytes) -> None:
    assert "checksum does not fit" in str(refusal(little + b"\0"))


@pytest.mark.parametrize(
    ("place", "new", "said"),
    [
        (0, b"PK", "first bytes"),
        (8, b"\0", "got version 0; expected 1"),
        (9, b"\0", "wrong value at columns: got '0'"),
        (9, b"\x11", "wrong value at columns: got '17'"),
        (9, b"\x10\x10", "got 16 columns of 16 rows; expected fewer cells"),
        (11, b"\x09", "line longer than the board"),
        (12, b"\x10", "got 16 plies; expected fewer than 16"),
        (12, b"\x08", "in |ends too early"),
        (13, b"\xff\xff\xff\xff", "got 4294967295 positions of ply 0"),
        (17, b"\x01", "bytes after its end|not from"),
        (-1, b"\x70", "got a score of ply 1 that is not from -7 to 8"),
        (-3, b"\x00", "got a key twice"),
    ],
)
def test_a_book_that_was_sealed_with_nonsense_is_refused(
    little: bytes, place: int, new: bytes, said: str
) -> None:
    body = bytearray(little[:-DIGEST])
    place %= len(body)
    body[place : place + len(new)] = new
    found = str(refusal(sealed(bytes(body))))

    assert any(part in found for part in said.split("|")), found


def test_sealed_bytes_after_the_end_are_refused(little: bytes) -> None:
    data = sealed(little[:-DIGEST] + b"\0\0")

    assert "got 2 bytes after its end" in str(refusal(data))


@pytest.mark.parametrize("key", [b"\xff" * 11, b"\xff" * 9 + b"\x01", b"\x80\x80\x80\x80"])
def test_a_key_that_is_too_long_or_has_no_end_is_refused(key: bytes) -> None:
    header = b"plybook\n\1\4\4\4\0\1\0\0\0"

    assert refusal(sealed(header + key))


def test_a_newer_book_is_told_from_a_damaged_one(little: bytes) -> None:
    newer = bytearray(little)
    newer[8] = 2
    found = refusal(bytes(newer))

    assert isinstance(found, UnusableError)
    assert "got version 2" in str(found)


def test_what_is_no_file_or_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("missing", "pipe", ".", "a\0b"):
        with pytest.raises(UnusableError, match="cannot read"):
            Book.load(tmp_path / name)
    monkeypatch.setattr(books, "MOST_BYTES", 100)
    assert "more than 100 bytes" in str(refusal(bytes(101)))


def test_the_header_is_as_long_as_the_page_says(little: bytes) -> None:
    assert little[HEADER : HEADER + 8] == b"\1\0\0\0\2\0\0\0"
    assert decoded(little).plies == 1


# ----------------------------------------------------------------------------------------- builds


def test_a_build_that_was_stopped_goes_on(small: Book, tmp_path: Path) -> None:
    file = tmp_path / "x.book"
    stopped = Build(SMALL, 8, file)
    stopped.begin()
    for key in stopped.unsolved[:50]:
        stopped.solve(key, solver(SMALL))
    stopped.close()
    with stopped.part.open("ab") as part:
        part.write(b"1122334")  # the power went while this was written

    again = Build(SMALL, 8, file)
    again.begin()
    assert len(again.scores) == 50
    assert len(again.unsolved) == len(again.openings[-1]) - 50
    for key in again.unsolved:
        again.solve(key, solver(SMALL))
    assert b"1122334\n" not in again.part.read_bytes()
    assert again.finish() == small
    assert not again.part.exists()
    assert Book.load(file) == small


def test_a_torn_score_is_not_believed(tmp_path: Path) -> None:
    work = Build(SMALL, 2, tmp_path / "x.book")
    work.begin()
    work.solve(work.unsolved[0], solver(SMALL))
    work.close()
    whole = work.part.read_bytes()
    work.part.write_bytes(whole[:-1])

    again = Build(SMALL, 2, tmp_path / "x.book")
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
        Build(SMALL, 2, tmp_path / "x.book").begin()

    assert part.read_bytes() == data


@pytest.mark.parametrize("line", ["", "11", "11 x", "11 99", "55 0", "12 0 ", "11 -0", "111 0"])
def test_a_damaged_line_of_solved_work_is_named(line: str, tmp_path: Path) -> None:
    work = Build(SMALL, 2, tmp_path / "x.book")
    work.begin()
    work.close()
    with work.part.open("a") as part:
        part.write(f"{line}\n")

    with pytest.raises(NotationError, match="line 2: got"):
        Build(SMALL, 2, tmp_path / "x.book").begin()


def solve_share(which: int, of: int, file: Path) -> Build:
    work = Build(SMALL, 3, file, share=(which, of))
    work.begin()
    for key in work.unsolved:
        work.solve(key, Draws())
    work.close()
    return work


@pytest.mark.parametrize("of", [1, 2, 5, 26, 40])
def test_shares_have_every_position_once(of: int, tmp_path: Path) -> None:
    shares = [Build(SMALL, 3, tmp_path / "x", share=(which, of)) for which in range(1, of + 1)]
    keys = [key for share in shares for key in share.unsolved]

    assert keys == list(shares[0].openings[-1])
    assert len({share.part for share in shares}) == of


def test_a_share_that_was_stopped_goes_on(tmp_path: Path) -> None:
    work = solve_share(2, 3, tmp_path / "x.book")
    again = Build(SMALL, 3, tmp_path / "x.book", share=(2, 3))
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
        merged([first.part, second.part], tmp_path / "x.book")
    assert not (tmp_path / "x.book").exists()


def test_work_on_another_book_is_not_merged(tmp_path: Path) -> None:
    first, other = solve_share(1, 2, tmp_path / "x.book"), tmp_path / "other"
    other.write_text("plyboard book 1: connect-four:columns=4,rows=4 plies=2\n")

    with pytest.raises(NotationError, match="other work at"):
        merged([first.part, other], tmp_path / "x.book")
    other.write_text("plyboard book 1: connect-four:columns=4,rows=4 plies=16\n")
    with pytest.raises(UsageError, match="wrong plies"):
        merged([other], tmp_path / "x.book")
    other.write_text("plyboard book 1: squatter plies=2\n")
    with pytest.raises(UsageError, match="cannot solve Squatter"):
        merged([other], tmp_path / "x.book")


def test_a_book_that_exists_is_replaced_only_by_force(tmp_path: Path) -> None:
    file = tmp_path / "x.book"
    file.write_text("mine")
    with pytest.raises(UnusableError, match="exists"):
        Build(SMALL, 1, file).begin()
    assert not (tmp_path / "x.book.part").exists()

    work = Build(SMALL, 0, file, force=True)
    work.begin()
    work.solve(work.unsolved[0], solver(SMALL))
    work.finish()

    assert len(Book.load(file)) == 1


def test_boards_that_cannot_be_solved_have_no_book(tmp_path: Path) -> None:
    for game, plies in ((ConnectFour(9, 8), 1), (ConnectFour(5, 5, 3), 1), (SMALL, 16)):
        with pytest.raises(UsageError):
            Build(game, plies, tmp_path / "x.book")


def test_moves_on_wide_boards_are_kept_apart(tmp_path: Path) -> None:
    work = Build(ConnectFour(10, 1), 1, tmp_path / "x.book")
    work.begin()
    for key in work.unsolved:
        work.solve(key, Draws())
    work.close()
    again = Build(work.game, 1, work.out)
    again.begin()
    again.close()

    assert again.scores == work.scores


# ---------------------------------------------------------------------------------------- faults


def test_a_right_book_has_no_faults(small: Book) -> None:
    assert list(faults(small)) == []


def test_a_score_that_does_not_follow_is_found(small: Book) -> None:
    scores = list(small.pages[3].scores)
    scores[5] += 1
    pages = list(small.pages)
    pages[3] = replace(pages[3], scores=scores)
    found = list(faults(Book(SMALL, tuple(pages))))

    assert any("the book says" in fault for fault in found)


def test_a_position_that_is_missing_or_strange_is_found(small: Book) -> None:
    pages = list(small.pages)
    first, *rest = pages[2].keys
    pages[2] = Page([*rest, 2**20 - 1], pages[2].scores)

    found = list(faults(Book(SMALL, tuple(pages))))

    assert first < rest[0]
    assert found[0] == "ply 2: 1 positions are missing, 1 do not belong there"


# ------------------------------------------------------------------------------- books at hand


@pytest.fixture
def no_books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "_shipped", lambda: None)
    monkeypatch.setattr(books, "installed_book", lambda: None)


@pytest.mark.usefixtures("no_books")
def test_without_books_there_is_no_answer() -> None:
    assert book_solution(Position("connect-four")) is None
    assert shipped_book(ConnectFour()) is None


@pytest.mark.usefixtures("no_books")
def test_an_answer_from_a_book_costs_no_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ConnectFour()
    page = Page.of({keys_of(game).key(game.rules.start): 1})
    monkeypatch.setattr(books, "_shipped", lambda: Book(game, (page,)))
    found = book_solution(Position(game))

    assert found is not None
    assert (found.score, found.nodes) == (1, 0)
    assert book_solution(Position(game).play("4")) is None
    assert book_solution(Position(SMALL)) is None


def shipped() -> Book:
    book = shipped_book(ConnectFour())
    assert book is not None
    return book


def test_the_shipped_book_is_whole() -> None:
    assert [len(page.keys) for page in shipped().pages] == OPENINGS_7X6
    assert list(faults(shipped())) == []
    assert shipped_book(SMALL) is None


def test_the_shipped_book_knows_what_first_moves_are_worth() -> None:
    """As every solver of this board has found."""
    first = (shipped().score(Position("connect-four").play(move)) for move in "1234567")

    assert shipped().score(Position("connect-four")) == 1
    assert [-score for score in first if score is not None] == [-2, -1, 0, 1, 0, -1, -2]


def test_the_shipped_book_says_what_is_published() -> None:
    lines = (line.split() for file in SETS for line in file.read_text().splitlines())
    told = {moves: int(score) for moves, score in lines if len(moves) <= shipped().plies}

    assert len(told) == 101
    for moves, score in told.items():
        assert shipped().score(Position("connect-four").play(*moves)) == score, moves


def test_the_shipped_book_has_as_many_wins_as_were_counted() -> None:
    """Positions that the first player wins, draws and loses, mirror images twice, ply by ply.

    From M. Boeck's table of all positions of the board (Connect4-Strong-Solver).
    """
    mirror, counts = ConnectFour().rules.symmetries[0].state, []
    for ply, _ in enumerate(shipped().pages):
        signs = Counter[int]()
        for position, score in shipped().entries():
            if position.text().count(".") == 42 - ply:
                first = score if ply % 2 == 0 else -score
                alike = mirror(position.state) == position.state
                signs[(first > 0) - (first < 0)] += 1 if alike else 2
        counts.append((signs[1], signs[0], signs[-1]))

    assert counts == [
        (1, 0, 0), (1, 2, 4), (27, 12, 10), (35, 58, 145), (690, 200, 230), (1080, 697, 2486),
    ]  # fmt: skip


def test_a_solver_asks_its_book_first_and_of_each_move() -> None:
    solver, start = Solver(book=book_solution), Position("connect-four")
    found = solver.moves(start)

    assert [each.score for each in found.values()] == [-2, -1, 0, 1, 0, -1, -2]
    assert all(each.book and each.nodes == 0 for each in found.values())
    assert solver.solve(start.play("1"), weak=True)[:2] == (1, 1)
    assert not solver.solve(Position.read("5554224333234511764415")).book
    assert Solver().by_book(start) is None


def test_a_solver_with_a_book_refuses_what_one_without_refuses() -> None:
    solver = Solver(book=book_solution)

    with pytest.raises(GameOverError, match="the game is over"):
        solver.solve(Position("connect-four").play(*"1212121"))
    with pytest.raises(UsageError, match="wrong board"):
        solver.solve(Position(SMALL))


# Positions that the package's own page tells: a win after 29 more plies, a loss after 12.
WON = Position("connect-four", "......./...x.../.x.o.../.o.x.o./.x.o.x./.o.x.o. x")
LOST = Position("connect-four", "......./......./..xx.../..oo.../.xox.../.xxo.oo x")
OTHER = Position("connect-four").play(*"176625345512")


def code(position: Position) -> bytes:
    """Encode a position by its text, column by column from the left, discs from the bottom."""
    rows = position.text().split(" ")[0].split("/")[::-1]
    marks = {"x": "10", "o": "11", ".": ""}
    columns = ("".join(marks[cell] for cell in column) for column in zip(*rows, strict=True))
    return int("".join(f"{column}0" for column in columns) + "0", 2).to_bytes(4, "big")


def records(values: dict[Position, int]) -> bytes:
    numbers = {int.from_bytes(code(each), "big", signed=True): values[each] for each in values}
    return b"".join(
        number.to_bytes(4, "big", signed=True) + numbers[number].to_bytes(1, "big", signed=True)
        for number in sorted(numbers)
    )


def test_the_installed_book_is_read_as_its_package_writes_it() -> None:
    values = {WON: 71, LOST: -88, OTHER: 0, Position("connect-four").play(*"121212343434"): 1}
    book = bitbully.BitBullyBook(records(values))
    mirror = ConnectFour().rules.symmetries[0].state

    # 41 discs lie when the first game ends, 24 in the second.
    for position, score in ((WON, 1), (LOST, -10), (OTHER, 0)):
        assert book.score(position) == score
        assert book.score(Position.of(position.game, mirror(position.state))) == score
    assert len(book) == 4


def test_a_win_at_once_needs_no_entry() -> None:
    position = Position("connect-four").play(*"121213567")

    assert bitbully.BitBullyBook(b"").score(position.play("1", "7", "7")) is None
    assert bitbully.BitBullyBook(b"").score(Position("connect-four").play(*"121213567756")) == 15


def test_the_installed_book_follows_from_earlier_plies_where_it_can() -> None:
    before = Position("connect-four").play(*"17662534551")
    values = {before.play(move): 10 * int(move) for move in before.legal_moves()}
    book = bitbully.BitBullyBook(records(values))

    assert book.score(before) == -min(book.score(after) or 0 for after in values)
    assert book.score(before.undo()) is None
    assert book.score(Position("connect-four")) is None
    assert book.score(Position(SMALL)) is None
    assert book.score(Position("connect-four").play(*"1717171")) is None


def test_a_package_with_another_file_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / bitbully.PACKAGE
    (package / "assets").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('nobody runs this')")
    monkeypatch.syspath_prepend(tmp_path)
    file = package / bitbully.FILE
    for content in (None, b"12345"):
        if content:
            file.write_bytes(content)
        bitbully.installed_book.cache_clear()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert bitbully.installed_book() is None
        assert "is not used" in str(told[0].message)
    monkeypatch.setattr(bitbully, "SHA256", hashlib.sha256(b"12345").hexdigest())
    bitbully.installed_book.cache_clear()
    found = bitbully.installed_book()
    bitbully.installed_book.cache_clear()

    assert found is not None
    assert len(found) == 1
