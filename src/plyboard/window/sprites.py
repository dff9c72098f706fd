"""Smooth images of discs, holes and rings, as Tk draws shapes without anti-aliasing."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

Layer = npt.NDArray[np.float64]  # one number per pixel
Pixels = npt.NDArray[np.float64]  # height x width x 4: red, green, blue, opacity; 0 to 1

HOLE = 0.4  # the radius of a hole, in cells
RIM = 0.74  # where the raised rim of a disc begins, in radii


def colour(text: str) -> npt.NDArray[np.float64]:
    """Return a colour such as `#3f7cbf` as three numbers from 0 to 1."""
    return np.array([int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)])


def mixed(text: str, other: str, share: float) -> str:
    """Return a colour with a share of another one."""
    mean = colour(text) * (1 - share) + colour(other) * share
    return "#" + "".join(f"{round(part * 255):02x}" for part in mean)


def png(pixels: Pixels) -> bytes:
    """Return an image as a PNG file."""
    height, width, _ = pixels.shape
    lines = np.zeros((height, width * 4 + 1), np.uint8)
    lines[:, 1:] = np.round(np.clip(pixels, 0, 1) * 255).astype(np.uint8).reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = zlib.compress(lines.tobytes(), 1)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND")


def disc(cell: int, fill: str, radius: float, opacity: float = 1.0) -> Pixels:
    """Return a disc on a transparent cell: a flat face, a raised rim and a dark edge."""
    distance, down = _polar(cell)
    size = radius * cell
    face = np.empty((cell, cell, 4))
    base = colour(fill)
    is_dark = base.mean() < 0.5
    face[..., :3] = base
    rim = _inside(distance, size) - _inside(distance, size * RIM)
    slope = -down / max(size, 1)  # 1 at the top, -1 at the bottom
    light = rim * (slope * 0.10 + (0.09 if is_dark else -0.07))
    groove = np.exp(-(((distance - size * RIM) / max(0.018 * cell, 0.6)) ** 2))
    light += groove * (0.16 if is_dark else -0.14)
    face[..., :3] = np.clip(face[..., :3] + light[..., None], 0, 1)
    edge = _inside(distance, size) - _inside(distance, size - max(1.0, 0.014 * cell))
    face[..., :3] = _over(face[..., :3], colour("#1a1a1a"), edge * 0.85)
    face[..., 3] = _inside(distance, size) * opacity
    return face


def plain_disc(size: int, fill: str) -> Pixels:
    """Return a disc of one colour that touches the edges of its image."""
    distance, _ = _polar(size)
    pixels = np.empty((size, size, 4))
    pixels[..., :3] = colour(fill)
    pixels[..., 3] = _inside(distance, size / 2)
    return pixels


def front(cell: int, ground: str) -> Pixels:
    """Return a square of the board with a hole, through which discs are seen."""
    distance, down = _polar(cell)
    size = HOLE * cell
    pixels = np.empty((cell, cell, 4))
    pixels[..., :3] = colour(ground)
    width = max(1.2, 0.035 * cell)
    lip = _inside(distance, size + width) - _inside(distance, size)
    slope = down / (size + width)
    pixels[..., :3] = np.clip(pixels[..., :3] + (lip * (slope * 0.12 - 0.03))[..., None], 0, 1)
    pixels[..., 3] = 1 - _inside(distance, size)
    return pixels


def hole(cell: int, colour_behind: str) -> Pixels:
    """Return what is seen through an empty hole: a wall in the shadow of the upper edge."""
    distance, down = _polar(cell)
    size = HOLE * cell
    pixels = np.empty((cell, cell, 4))
    shadow = np.clip(0.5 - down / (2 * size), 0, 1) * np.clip(distance / size, 0, 1) ** 2
    pixels[..., :3] = colour(colour_behind) * (1 - 0.22 * shadow[..., None])
    pixels[..., 3] = 1.0
    return pixels


def ring(cell: int, radius: float, width: float, fill: str, edge: str = "") -> Pixels:
    """Return a ring on a transparent cell; sizes are in cells. An edge colour outlines it."""
    distance, _ = _polar(cell)
    outer, inner = (radius + width / 2) * cell, (radius - width / 2) * cell
    border = max(1.0, 0.018 * cell) if edge else 0.0
    whole = _inside(distance, outer + border) - _inside(distance, inner - border)
    core = _inside(distance, outer) - _inside(distance, inner)
    pixels = np.empty((cell, cell, 4))
    pixels[..., :3] = _over(_flat(cell, edge or fill), colour(fill), core)
    pixels[..., 3] = whole
    return pixels


def icon(size: int) -> Pixels:
    """Return the icon of the window: a disc on the board."""
    below, above = front(size, "#3f7cbf"), disc(size, "#ffffff", HOLE)
    share = above[..., 3]
    pixels = np.empty((size, size, 4))
    pixels[..., :3] = _over(below[..., :3], above[..., :3], share)
    pixels[..., 3] = np.maximum(below[..., 3], share)
    return pixels


def hatched(cell: int, fill: str, ink: str, *, rises: bool) -> Pixels:
    """Return a square of territory: hatched, rising to the right or falling."""
    rows, columns = np.mgrid[0:cell, 0:cell] + 0.5
    period = cell / 3
    along = (columns + rows if rises else columns - rows) % period
    from_line = np.minimum(along, period - along) / np.sqrt(2)
    line = np.clip(max(0.7, 0.018 * cell) - from_line + 0.5, 0, 1)
    pixels = np.ones((cell, cell, 4))
    pixels[..., :3] = _over(_flat(cell, fill), colour(ink), line * 0.4)
    gap = max(1, round(0.03 * cell))
    inside = np.zeros((cell, cell))
    inside[gap : cell - gap, gap : cell - gap] = 1
    pixels[..., 3] = inside
    return pixels


def _flat(size: int, fill: str) -> Layer:
    """Return a square of one colour."""
    return np.broadcast_to(colour(fill), (size, size, 3))


def _polar(size: int) -> tuple[Layer, Layer]:
    """Return the distance of each pixel from the middle, and how far below it is."""
    rows, columns = np.mgrid[0:size, 0:size] + 0.5 - size / 2
    return np.hypot(rows, columns), rows


def _inside(distance: Layer, radius: float) -> Layer:
    """Return how much of each pixel lies in a circle."""
    return np.clip(radius - distance + 0.5, 0, 1)


def _over(below: Layer, above: Layer, share: Layer) -> Layer:
    return below * (1 - share[..., None]) + above * share[..., None]


def _chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
