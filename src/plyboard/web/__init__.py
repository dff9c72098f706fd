"""The browser client: plain ES modules and SVG, without a build step. It knows no rules."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


def web_files() -> dict[str, tuple[bytes, str]]:
    """Return the files of the client by their path, with their content types."""
    found: dict[str, tuple[bytes, str]] = {}
    _collect(files(__name__), "", found)
    return found


def _collect(folder: Traversable, prefix: str, found: dict[str, tuple[bytes, str]]) -> None:
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        kind = TYPES.get(entry.name[entry.name.rfind(".") :])
        if entry.is_dir():
            _collect(entry, f"{path}/", found)
        elif kind is not None:
            found[path] = entry.read_bytes(), kind
