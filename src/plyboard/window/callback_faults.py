"""Exceptions in callbacks of Tk, which it would only print."""

from __future__ import annotations

import tkinter as tk
from types import TracebackType


class CallbackFaults:
    """Keeps what goes wrong in a callback, and ends the main loop."""

    def __init__(self, root: tk.Tk) -> None:
        self._root = root
        self._fault: BaseException | None = None

    def keep(self) -> None:
        """Begin to keep exceptions; before that they are left to the owner of the event loop."""
        self._root.report_callback_exception = self._report

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        if self._fault is not None:
            raise self._fault

    def _report(
        self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None
    ) -> None:
        self._fault = self._fault or fault
        self._root.quit()
