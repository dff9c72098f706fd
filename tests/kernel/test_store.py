"""The folder of compiled code: whole entries or none, and a fault costs only speed."""

from __future__ import annotations

import errno
import os
import warnings
from pathlib import Path

import pytest

from plyboard.kernel import store
from plyboard.kernel.store import CacheWarning, Store


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "code"))
    return Store()


def only_file(kept: Store) -> Path:
    (path,) = kept.folder.iterdir()
    return path


def test_what_was_saved_is_loaded(kept: Store) -> None:
    kept.save("ab", b"machine code")

    assert kept.load("ab") == b"machine code"
    assert kept.load("cd") is None


@pytest.mark.parametrize("size", [0, 5, 30, 48, 55])
def test_a_torn_file_is_no_entry(kept: Store, size: int) -> None:
    kept.save("ab", b"machine code")
    path = only_file(kept)
    path.write_bytes(path.read_bytes()[:size])

    assert kept.load("ab") is None


def test_a_flipped_bit_is_noticed_wherever_it_is(kept: Store) -> None:
    kept.save("ab", b"machine code")
    path = only_file(kept)
    whole = path.read_bytes()
    for index in range(len(whole)):
        path.write_bytes(whole[:index] + bytes([whole[index] ^ 4]) + whole[index + 1 :])

        assert kept.load("ab") is None


def test_a_folder_that_others_can_write_is_not_trusted(kept: Store) -> None:
    kept.save("ab", b"machine code")
    kept.folder.chmod(0o777)

    with pytest.warns(CacheWarning, match="others can write to it; each start compiles anew"):
        assert kept.load("ab") is None
    kept.save("cd", b"more")

    assert only_file(kept).name == "ab.code"


def test_a_full_disk_is_said_once_and_leaves_nothing_behind(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    kept.save("ab", b"machine code")
    monkeypatch.setattr("os.replace", full)
    with pytest.warns(CacheWarning, match="No space left on device; each start compiles anew"):
        kept.save("cd", b"more")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept.save("ef", b"more")

    assert [path.name for path in kept.folder.iterdir()] == ["ab.code"]


def test_a_folder_that_cannot_be_made_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "file" / "code"))
    kept = Store()

    assert kept.load("ab") is None
    with pytest.warns(CacheWarning, match="Not a directory|is not a folder"):
        kept.save("ab", b"machine code")


def test_the_entries_unused_for_longest_go_first(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_FILES", 3)
    for number, key in enumerate("abcd"):
        kept.save(key, key.encode())
        if (kept.folder / f"{key}.code").exists():
            os.utime(kept.folder / f"{key}.code", (number, number))
    kept.load("b")
    kept.save("e", b"e")

    assert sorted(path.stem for path in kept.folder.iterdir()) == ["b", "d", "e"]
