"""Files are whole, and on disk before anybody relies on them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from kernel.disk import FILE, FOLDER, STORED, noted

from plyboard.durable import TEMPORARY, Appender, replace_file, sync_folder


def test_a_file_is_synced_then_renamed_then_its_folder_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = noted(monkeypatch)

    replace_file(tmp_path / "new", b"text")

    assert events == STORED
    assert (tmp_path / "new").read_bytes() == b"text"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_file_that_cannot_be_replaced_stays_and_nothing_is_left_beside_it(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "there"
    path.write_bytes(b"before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)

    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"after")
    assert (list(tmp_path.iterdir()), path.read_bytes()) == ([path], b"before")
    assert not any(each.parent == tmp_path for each in TEMPORARY)


def test_where_a_link_leads_is_replaced_and_the_mask_of_the_user_holds(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("there")
    mask = os.umask(0o027)
    try:
        replace_file(tmp_path / "link", b"text")
    finally:
        os.umask(mask)

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="not a plain file"):
        replace_file(tmp_path / "pipe", b"text")
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize(("number", "matters"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_folder_that_cannot_be_synced_is_no_fault_but_a_broken_disk_is(
    number: int, matters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)

    if matters:
        with pytest.raises(OSError, match=os.strerror(number)):
            sync_folder(tmp_path)
    else:
        sync_folder(tmp_path)


def test_what_is_appended_is_synced_once_a_second_and_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, path, times = noted(monkeypatch), tmp_path / "lines", [0.0]
    appender = Appender(path.open("w"), lambda: times[0])
    assert events == [FOLDER]

    syncs = []
    for now in (0.0, 0.5, 0.9, 1.0, 1.1, 9.0):
        times[0] = now
        appender.append(f"{now}\n")
        assert path.read_text().endswith(f"{now}\n")  # what is killed now loses nothing
        syncs.append(events.count(FILE))
    appender.close()

    assert syncs == [1, 1, 1, 2, 2, 3]
    assert events.count(FILE) == 4
