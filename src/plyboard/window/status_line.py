"""The line of text at the bottom of a window."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk


class StatusLine:
    """Shows the last text that was told, and below it a text that stays."""

    def __init__(self, parent: tk.Misc) -> None:
        self.label = ttk.Label(parent, style="Status.TLabel", anchor="w")
        self.label.bind("<Configure>", self._wrap)
        self._told = self._standing = ""

    @property
    def text(self) -> str:
        """What is shown."""
        return "\n".join(filter(None, (self._told, self._standing)))

    def tell(self, text: str) -> None:
        """Show a text until the next one."""
        self._told = text
        self.label.configure(text=self.text)

    def stand(self, text: str) -> None:
        """Show a text below those that are told, which do not remove it."""
        self._standing = text
        self.label.configure(text=self.text)

    def _wrap(self, event: tk.Event[ttk.Label]) -> None:
        self.label.configure(wraplength=event.width)
