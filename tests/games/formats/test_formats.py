"""What all formats promise, each by being listed."""

import time
import tracemalloc
from collections.abc import Callable

import pytest
from games.formats.samples import assert_survives_noise, random_game, refusal

from plyboard.errors import NotationError, PlyboardError, UsageError
from plyboard.games.catalogue import GAMES, game
from plyboard.games.formats import Format, format_named, known_formats
from plyboard.games.position import Position
from plyboard.games.reading import clean

by_name = pytest.mark.parametrize(
    "chosen", known_formats(), ids=[each.name for each in known_formats()]
)


def sample(chosen: Format) -> str:
    """Return a text of a position some moves into a game."""
    moves = {"connect-four": "4455", "conniption": "", "extended": "0123", "squatter": ""}
    start = Position(chosen.games[0])
    return chosen.write(start.play(*moves[chosen.games[0]]))


def test_every_name_finds_its_format() -> None:
    assert [format_named(each.name) for each in known_formats()] == list(known_formats())


def test_a_wrong_name_lists_the_right_ones() -> None:
    with pytest.raises(UsageError) as caught:
        format_named("alice_bill")

    assert str(caught.value) == (
        "unknown format: got 'alice_bill'; expected alice-bill (of position, moves, cfour-fen, "
        "cfour-moves, alice-bill, extended-case, extended-moves, squatter-board, squatter-symbols, "
        "conniption-tuples)"
    )


@by_name
def test_it_holds_games_that_exist_and_says_what_it_is_in_one_line(chosen: Format) -> None:
    assert chosen.games
    assert set(chosen.games) <= {kind.name for kind in GAMES}
    assert 10 < len(chosen.says) < 80
    assert "\n" not in chosen.says


@by_name
def test_the_start_comes_back(chosen: Format) -> None:
    for name in chosen.games:
        start = Position(name)
        text = chosen.write(start)

        assert text.endswith("\n")
        assert chosen.read(text, start.game) == start


@by_name
def test_the_game_that_was_asked_for_has_to_be_one_it_holds(chosen: Format) -> None:
    for name in {kind.name for kind in GAMES} - set(chosen.games):
        with pytest.raises(UsageError, match=f"wrong game at {chosen.name}: got '{name}'"):
            chosen.read(sample(chosen), game(name))
        with pytest.raises(UsageError, match=f"wrong game at {chosen.name}: got '{name}'"):
            chosen.write(Position(name))


@by_name
def test_a_file_may_have_a_mark_crlf_blanks_at_line_ends_and_no_last_newline(
    chosen: Format,
) -> None:
    asked = game(chosen.games[0])
    text = sample(chosen)
    rough = b"\xef\xbb\xbf" + text.rstrip("\n").replace("\n", "  \r\n").encode()

    assert chosen.read(clean(rough), asked) == chosen.read(text, asked)
    assert chosen.read(clean((text + "\n \n\n").encode()), asked) == chosen.read(text, asked)


@by_name
@pytest.mark.parametrize("text", ["", "\n", "   \n \n", "\n\n\n"])
def test_a_text_with_nothing_in_it_is_refused(chosen: Format, text: str) -> None:
    with pytest.raises(NotationError, match=r"at [0-9]+:1: got nothing; expected"):
        chosen.read(clean(text.encode()), game(chosen.games[0]))


@by_name
@pytest.mark.parametrize(
    "text",
    ["# a comment", "; a comment", "%PDF-1.4", "PK", "hello", "?", "=SUM(A1)", "..", "/", "[", "{"],
)
def test_a_text_of_something_else_is_refused(chosen: Format, text: str) -> None:
    with pytest.raises(NotationError, match=r"at 1:[0-9]+(, [a-z]+)?: "):
        chosen.read(text, game(chosen.games[0]))


@by_name
@pytest.mark.parametrize("extra", ["z", "\u0430", "\uff41", "\u200b", "\u2028", "\x0b", "\t", "\0"])
def test_one_odd_character_too_many_is_refused_wherever_it_stands(
    chosen: Format, extra: str
) -> None:
    text, asked = sample(chosen), game(chosen.games[0])
    for place in range(len(text)):
        with pytest.raises(PlyboardError):
            chosen.read(text[:place] + extra + text[place:], asked)


@by_name
def test_lines_after_the_end_are_refused(chosen: Format) -> None:
    with pytest.raises(PlyboardError):
        chosen.read(sample(chosen) + "\nx\n", game(chosen.games[0]))


@by_name
def test_small_changes_of_a_good_text_end_in_a_position_or_a_refusal(chosen: Format) -> None:
    for name in chosen.games:
        *_, last = random_game(name, seed=3)
        for position in (last, last.undo()):
            try:
                text = chosen.write(position)
            except UsageError:
                continue
            signs = "".join(sorted(set(text))) + 'xe9/-[](){}",:\n é'
            assert_survives_noise(chosen, text, position.game, signs)


def processor_seconds(read: Callable[[], object]) -> float:
    """Return what a refusal costs; now and then a collection of the suite's garbage is in it."""
    began = time.process_time()
    refusal(read)
    return time.process_time() - began


@by_name
@pytest.mark.parametrize(
    "piece",
    ["a", "e\n", "4", "4 ", "1\n", "0 ", "0 0\n", "(", "[", "{", '"', "7/", "P@a1 ", "+ ", "- ",
     "\n", " ", "6\n+ ", "(3, True)\n", '{"board": [', "connect-four ", "é", "9999999999"],
)  # fmt: skip
def test_the_largest_file_is_refused_at_once_and_in_little_room(chosen: Format, piece: str) -> None:
    text = piece * (64 * 1024 // len(piece))
    asked = game(chosen.games[0])
    said = refusal(lambda: chosen.read(text, asked))
    runs = (processor_seconds(lambda: chosen.read(text, asked)) for _ in range(3))
    is_quick = any(seconds < 0.2 for seconds in runs)
    tracemalloc.start()
    try:
        refusal(lambda: chosen.read(text, asked))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert is_quick
    assert most < 16 * 2**20
    assert len(said) < 500
