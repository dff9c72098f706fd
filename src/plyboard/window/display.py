"""Opening a window on the screen, or saying why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.errors import UnusableError

if TYPE_CHECKING:
    import tkinter as tk


def open_root(instead: str) -> tk.Tk:
    """Return a new window; raise `UnusableError` if there is no Tk or no display.

    The error names what to install, or what works without a window.
    """
    try:
        import tkinter as tk
    except ImportError:
        raise UnusableError(
            "no window", reason=f"this Python has no Tk; install python3-tk, or use {instead}"
        ) from None
    try:
        root = tk.Tk(className="Plyboard")
    except tk.TclError as fault:
        told = str(fault).partition("\n")[0]
        raise UnusableError(
            "no window", reason=f"{told}; on a machine without a screen use {instead}"
        ) from None
    return root
