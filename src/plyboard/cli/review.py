"""`plyboard review`: finds the mistakes in a game."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyboard.cli.common.game_files import GameFiles, game_spec
from plyboard.errors import NotationError, UsageError

if TYPE_CHECKING:
    from plyboard.analysis.review import Assessment, Review, Reviewer
    from plyboard.play.match import Match

EXAMPLE = "plyboard review games.txt --game 1 --seconds 0.2 --svg graph.svg"


def command(
    record: Annotated[
        list[str],
        typer.Argument(
            help="A file of records, or - for standard input; or a game spec and moves.",
            show_default=False,
            metavar="FILE | GAME MOVES...",
            parser=game_spec,
        ),
    ],
    game: Annotated[
        str | None, typer.Option(help="Number of the game in the file, from 1.", metavar="N")
    ] = None,
    seconds: Annotated[
        str | None,
        typer.Option(
            help="Time limit per move that is not solved; default: 0.5 unless --depth or --nodes "
            "is given.",
            metavar="SECONDS",
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option(help="Search depth in plies.", metavar="PLIES")
    ] = None,
    nodes: Annotated[
        str | None, typer.Option(help="Node limit per move that is not solved.", metavar="N")
    ] = None,
    mebibytes: Annotated[
        str, typer.Option("--hash", help="Size of the transposition tables in MiB.", metavar="MIB")
    ] = "64",
    threads: Annotated[str, typer.Option(help="Number of search threads.", metavar="N")] = "1",
    svg: Annotated[
        str | None,
        typer.Option(
            help="Write a graph of the game's values as SVG to this file.", metavar="FILE"
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    _game_files: GameFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Review a game: the loss of each move, a graph of the values, and the worst mistakes.

    Connect Four is solved, on boards of up to 42 cells, unless --depth is given. The game is
    analysed from its end, and Ctrl-C prints the review of the moves analysed so far. Only proved
    reasons are given. Moves that an event prescribed as the opening cost nothing.
    """
    from plyboard.analysis.moves import Analyst
    from plyboard.analysis.review import Reviewer
    from plyboard.cli.common.arguments import (
        budget_of,
        check_new,
        mebibytes_of,
        thread_count,
        whole,
        write_new,
    )
    from plyboard.play.record import MOST_GAMES

    limits = budget_of(seconds, depth, nodes)
    size, workers = mebibytes_of(mebibytes), thread_count(threads)
    wanted = None if game is None else whole(game, "game", 1, MOST_GAMES)
    if svg is not None:
        check_new(svg, force=force)
    match = _match(" ".join(record), wanted)
    reviewer = Reviewer(match, limits, Analyst(size, workers).searcher(match.start.game))
    was_stopped, found = _watched(reviewer), reviewer.review
    if found.assessments:
        if svg is not None:
            write_new(svg, found.svg(), force=force)
        _print(found, as_json)
    if was_stopped:
        raise KeyboardInterrupt


def _match(text: str, wanted: int | None) -> Match:
    """Return the match in a file, or the match of moves given as arguments."""
    if text == "-" or os.path.lexists(text) or not _is_position(text):
        match = _recorded(text, wanted)
    elif wanted is None:
        match = _played(text)
    else:
        raise UsageError(
            "option not wanted", where="moves", got="'--game'", expected="a file of records"
        )
    if not match.turns:
        raise NotationError("nothing to review", got="no moves", expected="a game with moves")
    return match


def _is_position(text: str) -> bool:
    """Tell whether a text starts with a game name, or with Connect Four moves."""
    from plyboard.games.catalogue import games_named, split_game

    spec, _ = split_game(text.strip(" "))
    return bool(re.fullmatch(r"[1-9]+", spec, re.ASCII) or games_named(spec.partition(":")[0]))


def _played(text: str) -> Match:
    from plyboard.games import Position
    from plyboard.play.match import Match

    return Match.leading_to(Position.read(text))


def _recorded(name: str, wanted: int | None) -> Match:
    """Return the only game of a file, or the one with this number."""
    from plyboard.cli.common.progress import with_progress
    from plyboard.play.record import read_records

    found, last = None, 0
    for last, match in enumerate(with_progress(read_records(name), "reading"), 1):
        if last == wanted:
            return match
        if wanted is None and last > 1:
            raise UsageError("several games", got="no --game", expected="the number of one")
        found = match
    if wanted is not None or found is None:
        raise UsageError("wrong game", got=f"'{wanted}'", expected=f"one from 1 to {last}")
    return found


def _watched(reviewer: Reviewer) -> bool:
    """Assess one position after another, and tell whether Ctrl-C cut that short."""
    from plyboard.cli.common.progress import watched

    try:
        for _ in watched(reviewer.tasks, "looking at each move"):
            pass
    except KeyboardInterrupt:
        return True
    return False


def _print(review: Review, as_json: bool) -> None:
    from plyboard.terminal.drawing.screen import Screen
    from plyboard.terminal.viewing.review import review_lines

    if as_json:
        print(json.dumps(_facts(review), indent=2))
        return
    screen = Screen()
    for line in review_lines(review, screen.width, is_fancy=screen.is_fancy):
        screen.say(line)


def _facts(review: Review) -> dict[str, Any]:
    """Return a review for JSON."""
    from plyboard.games import spec_of

    match = review.match
    return {
        "game": spec_of(match.start.game),
        "start": match.start.text(),
        "players": match.heading.players,
        "result": match.result.value,
        "exact": review.is_exact,
        "values": [round(value, 4) for value in review.values],
        "moves": [_move_facts(ply, each) for ply, each in review.moves],
        "worst": [ply for ply, _ in review.worst()],
    }


def _move_facts(ply: int, assessment: Assessment) -> dict[str, Any]:
    from plyboard.analysis.scale import in_words

    position, played, best = assessment.position, assessment.played, assessment.best
    return {
        "ply": ply,
        "player": position.game.players[position.mover],
        "move": position.move_text(played.action),
        "opening": assessment.is_forced,
        "mark": assessment.mark,
        "loss": round(assessment.loss, 4),
        "points_lost": round(assessment.points_lost, 4) if assessment.has_points else None,
        "value": in_words(position, played),
        "exact": played.exact,
        "best": position.move_text(best.action),
        "best_value": in_words(position, best),
        "best_line": list(position.move_texts(best.line)),
        "depth": best.depth,
        "nodes": sum(each.nodes for each in assessment.moves),
        "reasons": [reason.text for reason in assessment.reasons()] if assessment.mark else [],
    }
