"""Compiled code that another user can have written is never loaded."""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from plyboard.kernel.store import CacheWarning, Store

SOMEBODY = 4242


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with one entry, in a folder below another."""
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "parent" / "code"))
    store = Store()
    store.save("ab", b"machine code")
    return store


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Have a file reported as somebody else's: only root could give it away in earnest."""
    given: set[int] = set()

    def reported(facts: os.stat_result) -> os.stat_result:
        fields = list(facts[:10])
        if facts.st_ino in given:
            fields[stat.ST_UID] = SOMEBODY
        return os.stat_result(fields)

    lstat, fstat = Path.lstat, os.fstat
    monkeypatch.setattr(Path, "lstat", lambda path: reported(lstat(path)))
    monkeypatch.setattr(os, "fstat", lambda handle: reported(fstat(handle)))
    return lambda path: given.add(path.stat().st_ino)


def assert_not_used(kept: Store, reason: str) -> None:
    with pytest.warns(CacheWarning, match=reason):
        assert kept.load("ab") is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kept.load("ab") is None


def test_a_file_of_another_user_is_not_used(kept: Store, give_away: Callable[[Path], None]) -> None:
    give_away(kept.folder / "ab.code")

    assert_not_used(kept, "is not used: ab.code belongs to another user")


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_is_not_used(kept: Store, mode: int) -> None:
    (kept.folder / "ab.code").chmod(mode)

    assert_not_used(kept, "is not used: others can write to ab.code")


def test_a_file_that_was_not_used_is_replaced(kept: Store) -> None:
    (kept.folder / "ab.code").chmod(0o666)
    with pytest.warns(CacheWarning):
        kept.load("ab")
    kept.save("ab", b"compiled anew")

    assert kept.load("ab") == b"compiled anew"


def test_a_link_is_not_followed(kept: Store) -> None:
    (kept.folder / "ab.code").rename(kept.folder.parent / "elsewhere")
    (kept.folder / "ab.code").symlink_to(kept.folder.parent / "elsewhere")

    assert_not_used(kept, "is not used: ab.code is a symbolic link")


def test_a_pipe_is_not_waited_for(kept: Store) -> None:
    (kept.folder / "ab.code").unlink()
    os.mkfifo(kept.folder / "ab.code")

    assert_not_used(kept, "is not used: ab.code is not a regular file")


def test_a_folder_of_another_user_is_not_used(
    kept: Store, give_away: Callable[[Path], None]
) -> None:
    give_away(kept.folder)

    assert_not_used(kept, "it belongs to another user; each start compiles anew")


def test_a_parent_of_another_user_is_not_trusted(
    kept: Store, give_away: Callable[[Path], None]
) -> None:
    give_away(kept.folder.parent)

    assert_not_used(kept, "/parent belongs to another user; each start compiles anew")


def test_a_parent_that_others_can_write_is_trusted_only_with_the_sticky_bit(kept: Store) -> None:
    kept.folder.parent.chmod(0o1777)
    assert kept.load("ab") == b"machine code"

    kept.folder.parent.chmod(0o777)
    assert_not_used(kept, "others can write to .*/parent; each start compiles anew")


def test_a_parent_that_a_shared_group_can_write_is_not_trusted(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.folder.parent.chmod(0o770)
    monkeypatch.setattr("plyboard.kernel.trust._is_private", lambda _: False)

    assert_not_used(kept, "others can write to .*/parent")


def test_a_parent_that_only_the_group_of_this_user_can_write_is_trusted(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.folder.parent.chmod(0o770)
    monkeypatch.setattr("plyboard.kernel.trust._is_private", lambda _: True)

    assert kept.load("ab") == b"machine code"


def test_a_link_to_the_folder_is_followed_once(
    kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(kept.folder)
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "link"))
    linked = Store()
    assert linked.load("ab") == b"machine code"

    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(tmp_path)

    assert linked.load("ab") == b"machine code"


def test_folders_are_made_for_this_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "new" / "newer" / "code"))
    before = os.umask(0)
    try:
        Store().save("ab", b"machine code")
    finally:
        os.umask(before)

    assert Store().load("ab") == b"machine code"
