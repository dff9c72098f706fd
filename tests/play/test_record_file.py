"""A file of records that is written move by move is whole after each of them."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path

import pytest
from kernel.disk import FILE, FOLDER, RENAME, STORED, noted

from plyboard.durable import TEMPORARY
from plyboard.errors import UnusableError
from plyboard.games import Position
from plyboard.play import Match
from plyboard.play.record import format_of, read_records, write_records
from plyboard.play.record_file import RecordFile


def games_of(count: int) -> list[list[Match]]:
    """Return games, each as the matches that it went through."""
    chance, found = random.Random(count), []
    for _ in range(count):
        match = Match.of(Position("connect-four:columns=4,rows=4"))
        steps = []
        while match.end is None:
            match = match.apply_action(chance.choice(match.position.legal_actions()))
            steps.append(match)
        found.append(steps)
    return found


def played(file: RecordFile, games: list[list[Match]]) -> None:
    """Write games move by move, and look at the file after each."""
    finished: list[Match] = []
    for steps in games:
        for match in steps:
            file.write(match)
            assert list(read_records(str(file.path))) == [*finished, match]
        file.finish(steps[-1])
        finished.append(steps[-1])


@pytest.mark.parametrize("name", ["games.txt", "games.json"])
def test_it_holds_all_games_after_every_move(name: str, tmp_path: Path) -> None:
    games, path = games_of(6), tmp_path / name
    file = RecordFile(path)

    played(file, games)
    file.close()

    whole = "".join(write_records([steps[-1] for steps in games], format_of(name)))
    assert path.read_text() == whole
    assert list(tmp_path.iterdir()) == [path]
    assert not any(each.parent == tmp_path for each in TEMPORARY)


def test_a_move_is_synced_then_renamed_then_the_folder_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, file = noted(monkeypatch), RecordFile(tmp_path / "games.txt")
    (steps,) = games_of(1)
    for match in steps:
        file.write(match)
        assert events[-3:] == STORED
    file.finish(steps[-1])  # it is there already

    assert events == STORED * len(steps)
    assert (events.count(FILE), events.count(RENAME)) == (events.count(FOLDER), len(steps))


def bytes_written() -> int:
    """Return how many bytes this process has written so far."""
    facts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(facts["wchar"])


def cost_of(games: int, path: Path) -> int:
    """Return how many bytes are written for so many games."""
    all_steps, file = games_of(games), RecordFile(path)
    before = bytes_written()
    for steps in all_steps:
        for match in steps:
            file.write(match)
        file.finish(steps[-1])
    file.close()
    return bytes_written() - before


def test_four_times_as_many_games_cost_four_times_as_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)

    few, many = cost_of(30, tmp_path / "few.txt"), cost_of(120, tmp_path / "many.txt")

    assert many < 6 * few  # 15 times if each move writes all games


def test_whoever_reads_a_version_is_not_disturbed_by_the_next_ones(tmp_path: Path) -> None:
    file, (first, second) = RecordFile(tmp_path / "games.txt"), games_of(2)
    played(file, [first])
    before = file.path.read_bytes()
    with file.path.open("rb", buffering=0) as reader:
        begin = reader.read(len(before) // 2)
        for match in second:
            file.write(match)
        assert begin + reader.read() == before

    assert list(read_records(str(file.path))) == [first[-1], second[-1]]


def test_without_hard_links_all_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    file = RecordFile(tmp_path / "games.txt")
    played(file, games_of(4))

    assert list(tmp_path.iterdir()) == [file.path]  # without closing it


@pytest.mark.parametrize("by", ["another file", "a change", "nothing"])
def test_a_file_that_somebody_else_touches_is_whole_after_the_next_move(
    by: str, tmp_path: Path
) -> None:
    file = RecordFile(tmp_path / "games.txt")
    first, second = games_of(2)
    played(file, [first])
    if by == "another file":
        (tmp_path / "other").write_text("hello")
        (tmp_path / "other").replace(file.path)
    elif by == "a change":
        file.path.write_text("hello")
    else:
        file.path.unlink()
    for match in second:
        file.write(match)
        assert list(read_records(str(file.path))) == [first[-1], match]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_what_was_there_and_the_next_move_is_tried_again(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, (first, second) = RecordFile(tmp_path / "games.txt"), games_of(2)
    played(file, [first])
    file.write(second[0])

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(UnusableError, match=r"cannot write .*: No space left on device"):
            file.write(second[1])
    assert list(read_records(str(file.path))) == [first[-1], second[0]]
    file.write(second[1])
    file.close()

    assert list(read_records(str(file.path))) == [first[-1], second[1]]
    assert list(tmp_path.iterdir()) == [file.path]


def test_where_a_link_leads_is_written(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("")
    (tmp_path / "link.txt").symlink_to("there.txt")
    played(RecordFile(tmp_path / "link.txt"), games_of(2))

    assert (tmp_path / "link.txt").is_symlink()
    assert len(list(read_records(str(tmp_path / "there.txt")))) == 2
