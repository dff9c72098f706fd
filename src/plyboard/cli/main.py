"""The `plyboard` command: registers all commands and handles errors and exit codes."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from functools import cache
from typing import Annotated, Any, NoReturn, TextIO

import typer

from plyboard import __version__
from plyboard.cli import (
    agents,
    analyse,
    bench,
    book,
    check_game,
    completion,
    compliance,
    convert,
    engine,
    games,
    join,
    match,
    perft,
    play,
    replay,
    review,
    serve,
    show,
    solve,
    sprt,
    store,
    tournament,
    tree,
    warm,
    window,
)
from plyboard.cli.common import usage, welcome
from plyboard.cli.common.help import PlainCommand, PlainGroup
from plyboard.cli.common.leaving import LeaveError
from plyboard.durable import remove_temporary_files
from plyboard.errors import PlyboardError, UnusableError, UsageError, shown
from plyboard.plugins import bundled_plugins, plugins

UNUSABLE = UnusableError.exit_code
BUG = 70
INTERRUPTED = 130
CLOSED_PIPE = 141
TERMINATED = 143

PLUGINS = "plyboard.commands"
OTHERS = "From other packages"

GROUPS = {
    "Play": (play, serve, join, window, replay),
    "Understand": (show, analyse, review, tree, solve, convert, perft),
    "Compete": (match, sprt, tournament, agents, engine, compliance),
    "Set up and develop": (games, check_game, warm, bench, completion, book, store),
}
COMMANDS = tuple(module for modules in GROUPS.values() for module in modules)

app = typer.Typer(
    cls=PlainGroup,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: [bold]plyboard play connect-four[/]   or: plyboard show connect-four 4455",
)


def add_command(module: Any, panel: str, name: str = "") -> None:
    """Add a module with `NAME`, `EXAMPLE` and a function `command`, or with a group `app`."""
    name = name or module.NAME
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, rich_help_panel=panel)
        return
    example = f"Example: [bold]{module.EXAMPLE}[/]"
    app.command(name=name, cls=PlainCommand, epilog=example, rich_help_panel=panel)(module.command)
    for alias in getattr(module, "ALIASES", ()):
        app.command(name=alias, cls=PlainCommand, epilog=example, hidden=True)(module.command)


for group, modules in GROUPS.items():
    for module in modules:
        add_command(module, group)
OURS = [module.NAME for module in COMMANDS]
for plugin in bundled_plugins(PLUGINS):
    add_command(plugin.value, plugin.value.PANEL, plugin.name)
    OURS.append(plugin.name)


@app.callback(invoke_without_command=True)
def overview(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Play, analyse and solve two-player board games."""
    if version and context.invoked_subcommand:
        name = context.invoked_subcommand
        raise UsageError("command not wanted", where="--version", got=shown(name), expected="none")
    if version:
        print(f"plyboard {__version__}")
    elif context.invoked_subcommand is None:
        print("\n".join(welcome.welcome(OURS)))


def main() -> NoReturn:
    """Run the command line and exit with the code of the error, if any."""
    is_closed = False
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, _terminate)
        warnings.showwarning = _show_warning
        is_closed = _prepare_streams()
        code = _flushed(_run(sys.argv[1:]))
    except KeyboardInterrupt:  # between the lines above
        code = _say("interrupted", INTERRUPTED)
    code = CLOSED_PIPE if is_closed and code == 0 else code
    if code == INTERRUPTED or threading.active_count() > 1:  # do not wait for a running search
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _flushed(code: int) -> int:
    """Flush standard output; return the exit code, or another one if that fails."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _close_output(CLOSED_PIPE)
    except OSError as fault:
        return _say(f"cannot write: {fault.strerror}", _close_output(UnusableError.exit_code))
    return code


def _prepare_streams() -> bool:
    """Replace closed streams and set error handlers; return whether the output was closed."""
    is_closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    return is_closed


def _drop_invalid_sizes() -> None:
    """Drop an invalid screen size from the environment, which Rich cannot handle."""
    for name in ("COLUMNS", "LINES"):
        if not re.fullmatch(r"[1-9][0-9]{0,4}", os.environ.get(name, "80"), re.ASCII):
            del os.environ[name]


@cache  # building it takes ten times as long as reading most arguments
def _all_commands(others: bool = False) -> Any:
    """Return the command tree that Typer builds, built once per process.

    With `others` it has the commands of installed packages, too, which take time to find.
    """
    if others:
        for plugin in plugins(PLUGINS, OURS):
            add_command(plugin.value, OTHERS, plugin.name)
    return typer.main.get_command(app)


def _commands_for(arguments: list[str]) -> Any:
    """Return the command tree, with the commands of other packages unless one of ours is meant."""
    name = next((each for each in arguments if not each.startswith("-")), "")
    is_list = not name and bool({"-h", "--help"} & {*arguments})
    return _all_commands(others=is_list or name not in ("", *OURS))


def _as_options(arguments: list[str]) -> list[str]:
    """Return the arguments with `help` and `version` as options; both are common as commands."""
    if arguments[:1] == ["help"]:
        return [*arguments[1:], "--help"]
    return ["--version", *arguments[1:]] if arguments[:1] == ["version"] else arguments


def _run(arguments: list[str]) -> int:
    _drop_invalid_sizes()
    arguments = _as_options(arguments)
    try:
        if completion.is_asked():
            return completion.answer(_all_commands(others=True))
        commands = _commands_for(arguments)
        ready = usage.checked(commands, arguments)
        result = commands(args=ready, prog_name="plyboard", standalone_mode=False)
    except PlyboardError as fault:
        return _say(fault.first_line, fault.exit_code)
    except typer.TyperException as fault:
        return _say(usage.told(_commands_for(arguments), fault, arguments), UsageError.exit_code)
    except LeaveError:
        return INTERRUPTED
    except (KeyboardInterrupt, typer.Abort):
        result = INTERRUPTED
    except (BrokenPipeError, SystemExit):  # Typer exits this way when its output pipe is closed
        return _close_output(CLOSED_PIPE)
    except OSError as fault:
        return _say(f"cannot go on: {fault.strerror}", _close_output(UnusableError.exit_code))
    except Exception:
        return _report_bug()
    if result == INTERRUPTED:  # Typer turns Ctrl-C into this
        return _say("interrupted", INTERRUPTED)
    return result if isinstance(result, int) else 0


def _say(text: str, code: int) -> int:
    """Print an error in one line, and return its exit code."""
    _print_error(f"error: {text.partition(chr(10))[0]}")
    return code


def _print_error(line: str) -> None:
    """Print a line to standard error; ignore failures, as the exit code still tells."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def _report_bug() -> int:
    """Report an unexpected exception: of a game from outside in one line, else as our bug."""
    fault = sys.exception()
    mistakes: Any = sys.modules.get("plyboard.conformance.mistakes")  # a game was loaded
    if mistakes is not None and mistakes.own_place(fault):
        return _say(f"cannot play this game: {mistakes.mistake_text(fault)}", UNUSABLE)
    name = type(fault).__name__
    try:
        handle, file_name = tempfile.mkstemp(prefix="plyboard-bug-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"plyboard {__version__}, Python {sys.version}\n{sys.argv}\n")
            traceback.print_exc(file=file)
    except OSError as fault:
        return _say(f"a bug in Plyboard ({name}); no details kept: {fault.strerror}", BUG)
    return _say(f"a bug in Plyboard ({name}); details: {file_name}", BUG)


def _close_output(code: int) -> int:
    """Discard pending output, so that Python does not report it at exit."""
    try:
        _discard(sys.stdout)
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    return code


def _discard(stream: TextIO) -> None:
    """Redirect a stream and its pending output to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _terminate(_signal: int, _frame: object) -> NoReturn:
    remove_temporary_files()
    os._exit(TERMINATED)


def _show_warning(message: Warning | str, *_rest: object, **_more: object) -> None:
    _print_error(f"note: {message}")
