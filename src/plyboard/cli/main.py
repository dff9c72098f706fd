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
from importlib import import_module
from typing import Annotated, Any, NoReturn, TextIO

import typer

from plyboard import __version__
from plyboard.cli import completion
from plyboard.cli.common import usage, welcome
from plyboard.cli.common.commands import (
    ABOUT,
    ALIASES,
    GROUPS,
    OTHERS,
    OURS,
    PLUGINS,
    VERSION_HELP,
    help_lines,
    module_of,
)
from plyboard.cli.common.help import PlainCommand, PlainGroup, unwrapped
from plyboard.cli.common.leaving import LeaveError
from plyboard.durable import remove_temporary_files
from plyboard.errors import PlyboardError, UnusableError, UsageError, shown
from plyboard.plugins import bundled_plugins, plugins

UNUSABLE = UnusableError.exit_code
BUG = 70
INTERRUPTED = 130
CLOSED_PIPE = 141
SERVER = "serve"  # the command whose output nobody must read
TERMINATED = 143


class Overview(PlainGroup):
    """The group of all commands, with the help that lists them."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, with those of other packages if they were added."""
        others = [
            (name, unwrapped(command.help).partition("\n\n")[0])
            for name, command in self.commands.items()
            if getattr(command, "rich_help_panel", None) == OTHERS
        ]
        formatter.write("\n".join(help_lines(others)))


def overview(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help=VERSION_HELP)] = False,
) -> None:
    """Print the version, or without a command what there is."""
    if version and context.invoked_subcommand:
        name = context.invoked_subcommand
        raise UsageError("command not wanted", where="--version", got=shown(name), expected="none")
    if version:
        print(f"plyboard {__version__}")
    elif context.invoked_subcommand is None:
        print("\n".join(welcome.welcome(OURS)))


@cache  # building it takes ten times as long as reading most arguments
def _tree(names: tuple[str, ...], others: bool = False) -> Any:
    """Return the command tree that Typer builds, with the commands of these names.

    With `others` it has the commands of installed packages, too, which take time to find.
    """
    app = typer.Typer(
        cls=Overview,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True, help=ABOUT)(overview)
    for panel, group in GROUPS.items():
        for name in group:
            if name in names:
                add_command(app, import_module(module_of(name)), name, panel)
    for plugin in bundled_plugins(PLUGINS, names):
        add_command(app, plugin.value, plugin.name, plugin.value.PANEL)
    if others:
        for plugin in plugins(PLUGINS, OURS):
            add_command(app, plugin.value, plugin.name, OTHERS)
    return typer.main.get_command(app)


def add_command(app: typer.Typer, module: Any, name: str, panel: str) -> None:
    """Add a module with an `EXAMPLE` and a function `command`, or with a group `app`."""
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, rich_help_panel=panel)
        return
    example = f"Example: [bold]{module.EXAMPLE}[/]"
    app.command(name=name, cls=PlainCommand, epilog=example, rich_help_panel=panel)(module.command)
    for alias in (each for each, meant in ALIASES.items() if meant == name):
        app.command(name=alias, cls=PlainCommand, epilog=example, hidden=True)(module.command)


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
    is_lost = is_closed and sys.argv[1:2] != [SERVER]
    code = CLOSED_PIPE if is_lost and code == 0 else code
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


def _all_commands(others: bool = False) -> Any:
    """Return the tree of all commands."""
    return _tree(OURS, others)


def _commands_for(arguments: list[str]) -> Any:
    """Return a tree with the command that is meant; with all if it is none of ours."""
    name = next((each for each in arguments if not each.startswith("-")), None)
    if name is None:
        return _tree((), others=bool({"-h", "--help"} & {*arguments}))
    name = ALIASES.get(name, name)
    return _tree((name,)) if name in OURS else _all_commands(others=True)


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
        return _say(
            usage.usage_line(_commands_for(arguments), fault, arguments), UsageError.exit_code
        )
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
    mistakes: Any = sys.modules.get("plyboard.games.mistakes")  # a game was loaded
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
