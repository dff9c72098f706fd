"""The two players above the board: who is who, whose turn it is, and their messages."""

from __future__ import annotations

import tkinter as tk
from dataclasses import dataclass
from tkinter import font
from typing import Literal

from plyboard.games.picture import Piece
from plyboard.window import sprites
from plyboard.window.style import ACCENT, BACKGROUND, BORDER, INK, MUTED, SURFACE, WindowStyle

HEIGHT = 62  # units
DOTS = 3

Anchor = Literal["e", "w"]


@dataclass(frozen=True)
class PlayerCard:
    """What is shown about one player."""

    number: int  # 1 or 2
    name: str
    symbol: str
    piece: Piece | None
    is_active: bool = False
    message: str = ""
    thinking: str = ""  # what is known about a search in progress
    dots: int | None = None  # how far the dots of a search have come; None without a search


class PlayersBar:
    """Draws the cards of both players, the second one mirrored."""

    def __init__(self, parent: tk.Misc, style: WindowStyle) -> None:
        self.style = style
        self.canvas = tk.Canvas(
            parent, height=style.px(HEIGHT), background=BACKGROUND, highlightthickness=0
        )
        self._font = font.Font(parent, font=style.font(13, bold=True))
        self.cards: tuple[PlayerCard, ...] = ()
        self._images = dict[tuple[str, int], tk.PhotoImage]()
        self.canvas.bind("<Configure>", lambda _: self._redraw())

    def show(self, first: PlayerCard, second: PlayerCard) -> None:
        """Show these cards, if they have changed."""
        if (first, second) != self.cards:
            self.cards = first, second
            self._redraw()

    def _redraw(self) -> None:
        self.canvas.delete("all")
        for side, card in enumerate(self.cards):
            self._draw(card, is_right=side == 1)

    def _draw(self, card: PlayerCard, *, is_right: bool) -> None:
        px, width = self.style.px, self.canvas.winfo_width()
        height, pad, gap = px(HEIGHT), px(12), px(8)
        outer = width / 2 - pad - gap / 2
        left = width - pad - outer if is_right else pad
        top, bottom = px(8), height - px(4)
        self._box(left, top, left + outer, bottom, card)
        size, middle = px(34), (top + bottom) / 2
        inward = -1 if is_right else 1
        edge = left + outer if is_right else left
        disc_at = edge + inward * (px(10) + size / 2)
        if card.piece is not None:
            self.canvas.create_image(disc_at, middle, image=self._disc(card.piece, size))
            self.canvas.create_text(
                disc_at, middle, text=card.symbol, fill=card.piece.ink,
                font=self.style.pixel_font(round(size * 0.34), bold=True),
            )  # fmt: skip
        anchor: Anchor = "e" if is_right else "w"
        text_at = disc_at + inward * (size / 2 + px(9))
        room = outer - size - px(30)
        title = self.canvas.create_text(
            text_at, middle - px(9), text=f"PLAYER {card.number}", anchor=anchor,
            fill=INK, font=self.style.font(12, bold=True),
        )  # fmt: skip
        beside = text_at + inward * (self._width(title) + px(10))
        is_beside = card.message and self._fits(card.message, room - abs(beside - text_at))
        if is_beside:
            self._text(beside, middle - px(9), card.message, anchor, room, ACCENT, bold=True)
        else:
            self._draw_dots(card, title, inward, middle - px(9))
        second = f"{card.name} \u00b7 {card.thinking}" if card.thinking else card.name
        if card.message and not is_beside:
            self._text(text_at, middle + px(9), card.message, anchor, room, ACCENT, bold=True)
        else:
            self._text(text_at, middle + px(9), second, anchor, room, MUTED)

    def _text(
        self,
        x: float,
        y: float,
        text: str,
        anchor: Anchor,
        room: float,
        fill: str,
        bold: bool = False,
    ) -> None:
        """Draw one line, shortened to the room it has."""
        item = self.canvas.create_text(
            x, y, text=text, anchor=anchor, fill=fill, font=self.style.font(13, bold=bold)
        )
        while len(text) > 1 and self._width(item) > room:
            text = text[:-1]
            self.canvas.itemconfigure(item, text=f"{text.rstrip()}\u2026")

    def _fits(self, message: str, room: float) -> bool:
        """Return whether a message has enough room."""
        return self._font.measure(message) <= room

    def _width(self, item: int) -> float:
        box = self.canvas.bbox(item)
        return box[2] - box[0] if box else 0.0

    def _draw_dots(self, card: PlayerCard, beside: int, inward: int, y: float) -> None:
        """Draw the dots of a search, of which one at a time is full."""
        if card.dots is None:
            return
        box, px = self.canvas.bbox(beside), self.style.px
        x = (box[2] if inward > 0 else box[0]) + inward * px(12)
        for index in range(DOTS):
            is_full = card.dots % DOTS == (index if inward > 0 else DOTS - 1 - index)
            image = self._plain(ACCENT if is_full else BORDER, px(6))
            self.canvas.create_image(x + inward * index * px(10), y, image=image)

    def _box(self, left: float, top: float, right: float, bottom: float, card: PlayerCard) -> None:
        """Draw the background of a card; that of the player to move has a bar below."""
        canvas, radius = self.canvas, self.style.px(8)
        fill = SURFACE if card.is_active else BACKGROUND
        image = self._plain(fill, 2 * radius)
        for x in (left, right - 2 * radius):
            for y in (top, bottom - 2 * radius):
                canvas.create_image(round(x), round(y), image=image, anchor="nw")
        x, y = round(left), round(top)
        canvas.create_rectangle(x + radius, y, round(right) - radius, bottom, fill=fill, width=0)
        canvas.create_rectangle(x, y + radius, round(right), bottom - radius, fill=fill, width=0)
        if card.is_active:
            thick = self.style.px(3)
            canvas.create_rectangle(
                x + radius, bottom - thick, round(right) - radius, bottom, fill=ACCENT, width=0
            )

    def _disc(self, piece: Piece, size: int) -> tk.PhotoImage:
        key = piece.fill, -size
        if key not in self._images:
            data = sprites.png(sprites.disc(size, piece.fill, 0.49))
            self._images[key] = tk.PhotoImage(master=self.canvas, data=data)
        return self._images[key]

    def _plain(self, fill: str, size: int) -> tk.PhotoImage:
        key = fill, size
        if key not in self._images:
            data = sprites.png(sprites.plain_disc(size, fill))
            self._images[key] = tk.PhotoImage(master=self.canvas, data=data)
        return self._images[key]
