"""Colours, fonts and widget styles of the window."""

from __future__ import annotations

import tkinter as tk
from dataclasses import dataclass
from tkinter import font, ttk

BACKGROUND = "#fbfaf7"
SURFACE = "#f1eee7"
PRESSED = "#e5e0d5"
BORDER = "#d9d4c8"
INK = "#24211d"
MUTED = "#655f56"
FAINT = "#a29b8f"
ACCENT = "#b45309"  # text, the active player, the cursor
GLOW = "#f59e0b"  # the same hue where it lies on the board
LINE = "#7cfc9a"  # the winning line, as in SVG pictures
OUTLINE = "#111111"

FAMILIES = ("Inter", "Segoe UI", "Helvetica Neue", "Cantarell", "Noto Sans", "DejaVu Sans")
DOTS_PER_INCH = 96  # of a screen on which one unit is one pixel


@dataclass(frozen=True)
class WindowStyle:
    """The fonts of a window, and the size of its screen's unit in pixels."""

    family: str
    unit: float

    @classmethod
    def of(cls, root: tk.Misc) -> WindowStyle:
        """Return the style for the screen of a window."""
        installed = set(font.families(root))
        family = next((each for each in FAMILIES if each in installed), "TkDefaultFont")
        return cls(family, max(1.0, root.winfo_fpixels("1i") / DOTS_PER_INCH))

    def px(self, units: float) -> int:
        """Return a length in pixels."""
        return round(units * self.unit)

    def font(self, units: float, *, bold: bool = False) -> tuple[str, int, str]:
        """Return a font of this height."""
        return self.pixel_font(self.px(units), bold=bold)

    def pixel_font(self, pixels: int, *, bold: bool = False) -> tuple[str, int, str]:
        """Return a font of a height in pixels."""
        return self.family, -max(1, pixels), "bold" if bold else "normal"

    def apply(self, root: tk.Misc) -> None:
        """Set the styles of all widgets in a window."""
        theme = ttk.Style(root)
        theme.theme_use("clam")
        theme.configure(".", background=BACKGROUND, foreground=INK, font=self.font(13))
        self._apply_to_buttons(theme)
        self._apply_to_lists(theme)
        theme.configure("Status.TLabel", foreground=MUTED, font=self.font(12))
        theme.configure("Heading.TLabel", font=self.font(17, bold=True))
        theme.configure("Field.TLabel", foreground=MUTED, font=self.font(12))
        theme.configure("Panel.TFrame", background=BACKGROUND, bordercolor=BORDER, relief="solid")
        root.option_add("*TCombobox*Listbox.font", self.font(13))
        root.option_add("*Menu.font", self.font(13))
        root.option_add("*Menu.background", BACKGROUND)
        root.option_add("*Menu.activeBackground", PRESSED)
        root.option_add("*Menu.activeForeground", INK)
        root.option_add("*Menu.borderWidth", 1)

    def _apply_to_buttons(self, theme: ttk.Style) -> None:
        for name in ("TButton", "Toggle.TButton", "TMenubutton"):
            theme.configure(
                name,
                background=SURFACE,
                bordercolor=BORDER,
                lightcolor=SURFACE,
                darkcolor=SURFACE,
                focuscolor=ACCENT,
                padding=(self.px(9), self.px(4)),
                width=0,
                borderwidth=1,
                relief="flat",
                focusthickness=self.px(2),
            )
            theme.map(
                name,
                background=[("disabled", BACKGROUND), ("pressed", PRESSED), ("active", PRESSED)],
                foreground=[("disabled", FAINT)],
                bordercolor=[("focus", ACCENT)],
                lightcolor=[("pressed", PRESSED), ("active", PRESSED)],
                darkcolor=[("pressed", PRESSED), ("active", PRESSED)],
            )
        theme.configure("TMenubutton", arrowcolor=MUTED, arrowsize=self.px(4))
        theme.map(
            "Toggle.TButton",
            background=[("disabled", BACKGROUND), ("selected", ACCENT), ("active", PRESSED)],
            foreground=[("disabled", FAINT), ("selected", "#ffffff")],
            lightcolor=[("selected", ACCENT), ("active", PRESSED)],
            darkcolor=[("selected", ACCENT), ("active", PRESSED)],
        )
        theme.configure(
            "Primary.TButton", background=ACCENT, foreground="#ffffff", bordercolor=ACCENT,
            lightcolor=ACCENT, darkcolor=ACCENT,
        )  # fmt: skip
        theme.map(
            "Primary.TButton",
            background=[("pressed", "#8f4208"), ("active", "#9a4708")],
            lightcolor=[("active", "#9a4708")],
            darkcolor=[("active", "#9a4708")],
            foreground=[("disabled", FAINT)],
        )

    def _apply_to_lists(self, theme: ttk.Style) -> None:
        theme.configure(
            "TCombobox", fieldbackground="#ffffff", background=SURFACE, bordercolor=BORDER,
            arrowcolor=MUTED, arrowsize=self.px(14), padding=self.px(3),
        )  # fmt: skip
        theme.map(
            "TCombobox",
            fieldbackground=[("readonly", "#ffffff")],
            selectbackground=[("readonly", "#ffffff")],
            selectforeground=[("readonly", INK)],
            bordercolor=[("focus", ACCENT)],
        )
        theme.configure(
            "Vertical.TScrollbar", background=PRESSED, troughcolor=BACKGROUND, borderwidth=0,
            bordercolor=BACKGROUND, lightcolor=PRESSED, darkcolor=PRESSED, arrowsize=self.px(12),
            arrowcolor=MUTED, gripcount=0,
        )  # fmt: skip
