"""What moves on a board, in virtual time and without a display."""

from __future__ import annotations

from plyboard.games.picture import Cell
from plyboard.window.board_motion import BoardMotion
from plyboard.window.motion import FLASH, FLASHES, Motion, MovingPiece

FALL = Motion((MovingPiece("x", 3, -1, 5), MovingPiece("o", 0, 5, 5)), 2.0)
TURN = Motion((MovingPiece("x", 3, 5, 0),), 1.0)
NOTHING = Motion((), 0.0)
LINE = frozenset(Cell(5, column) for column in range(4))


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def rows(motion: BoardMotion) -> list[float]:
    return [row for _, row in motion.pieces()]


def test_motions_follow_each_other_and_then_the_board_rests() -> None:
    clock = Clock()
    motion = BoardMotion(clock)
    motion.add([FALL, NOTHING, TURN])

    assert rows(motion) == [-1, 5]
    clock.now += 1
    assert (motion.move_on(), rows(motion)) == (False, [2, 5])
    clock.now += 1
    assert (motion.move_on(), rows(motion), motion.is_moving) == (True, [5], True)
    clock.now += 1
    assert (motion.move_on(), rows(motion), motion.is_moving) == (True, [], False)
    assert not motion.move_on()


def test_what_is_added_meanwhile_comes_after_what_moves() -> None:
    clock = Clock()
    motion = BoardMotion(clock)
    motion.add([TURN])
    clock.now += 0.5
    motion.add([FALL])
    clock.now += 0.5

    assert motion.move_on()
    assert rows(motion) == [-1, 5]


def test_motions_that_take_no_time_leave_the_board_at_rest() -> None:
    motion = BoardMotion(Clock())
    motion.add([NOTHING, NOTHING])

    assert not motion.is_moving


def test_a_line_flashes_from_the_moment_at_which_the_pieces_are_there() -> None:
    clock = Clock()
    motion = BoardMotion(clock)
    motion.add([TURN])
    assert motion.lit(LINE) == ()

    clock.now += 1
    motion.move_on()
    assert motion.lit(LINE) == (Cell(5, 0),)
    clock.now += 1.5 * FLASH
    assert motion.lit(LINE) == (Cell(5, 1),)
    clock.now += FLASHES * len(LINE) * FLASH
    assert motion.lit(LINE) == tuple(sorted(LINE))


def test_a_stop_ends_all_motions() -> None:
    motion = BoardMotion(Clock())
    motion.add([FALL, TURN])
    motion.stop()

    assert not motion.is_moving
    assert motion.pieces() == []
