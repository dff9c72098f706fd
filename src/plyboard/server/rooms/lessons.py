"""Moves for the pictures and lessons of the pages: what each game shows on boards."""

from __future__ import annotations

from plyboard.server.protocol import Lesson

SAMPLES = {
    "connect-four": "4 4 3 5 3 3 4 5 5 2 6 4 2 6",
    "conniption": "4 4 3 5 f3 5f 4 2 6 6",
    "extended": "3 4 3 4 2 5 4 1 2 6 5 3",
    "squatter": "c2 e4 b3 d5 d3 f5 c4 e6 b1 a5",
}
"""The moves of the pictures in the gallery."""

LESSONS = {
    "connect-four": (
        Lesson("Discs fall", "A disc falls to the lowest empty cell of its column.", "4 4 4", 2),
        Lesson(
            "Four in a row win",
            "Across, upright or diagonally: the fourth disc in a row ends the game.",
            "1 2 2 3 3 4 3 4 4 6 4",
            10,
        ),
    ),
    "conniption": (
        Lesson(
            "A flip turns the board",
            "After the disc, White flips the board. All discs fall to the other end of their "
            "columns.",
            "4 4 5 3 4f",
            4,
        ),
        Lesson(
            "A flip can come first",
            "White flips the board and then drops a disc on what is the top now.",
            "4 4 5 5 f4",
            4,
        ),
        Lesson(
            "A flip can win",
            "White drops a disc in column 4 and flips: now four white discs are in a row.",
            "5 7 7 1 6 4 4f",
            6,
        ),
    ),
    "extended": (
        Lesson(
            "Rows score points",
            "Two in a row score 2, three score 5 and four score 20. The game goes on.",
            "2 6 3 6 4 7 5",
            6,
        ),
        Lesson(
            "A pop takes the lowest disc",
            "Player 1 pops column 2: its lowest disc leaves the board and those above it fall.",
            "2 2 3 2 4 5 2p",
            6,
        ),
    ),
    "squatter": (
        Lesson(
            "A closed loop captures",
            "White closes a loop around c3. The pieces of a loop touch at sides or corners.",
            "c2 c3 b3 e5 d3 e6 c4",
            6,
        ),
        Lesson(
            "The edge closes no loop",
            "White has cut off the corner a1, but the edge of the board is not part of a loop.",
            "b1 e5 a2",
            2,
        ),
    ),
}
