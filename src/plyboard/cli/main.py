"""The `plyboard` command: all commands, and one rule for errors and exit codes."""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import traceback
import warnings
from typing import Annotated, NoReturn

import typer

from plyboard import __version__
from plyboard.cli import check_game, convert, games, perft, play, show, warm, winner
from plyboard.errors import PlyboardError, UsageError, shown

BUG = 70
INTERRUPTED = 130
TERMINATED = 143
CLOSED_PIPE = 141

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: [bold]plyboard play connect-four[/]   or: plyboard show connect-four 4455",
)
COMMANDS = (play, games, show, convert, winner, perft, warm, check_game)
for module in COMMANDS:
    app.command(name=module.NAME, epilog=f"Example: [bold]{module.EXAMPLE}[/]")(module.command)


@app.callback(invoke_without_command=True)
def overview(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Play, count and convert two-player board games; rules in plain Python, compiled."""
    if version:
        print(f"plyboard {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main() -> NoReturn:
    """Run the command line and leave with the exit code that the house rules name."""
    signal.signal(signal.SIGTERM, _terminate)
    warnings.showwarning = _show_warning
    code = _run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _close_pipe()
    if code == INTERRUPTED:  # a compiled loop may still run in a thread: do not wait for it
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    try:
        _refuse_repeats(arguments)
        result = app(args=_keep_negative(arguments), prog_name="plyboard", standalone_mode=False)
    except PlyboardError as fault:
        return _say(str(fault), fault.exit_code)
    except typer.TyperException as fault:
        return _say(_usage_text(fault), UsageError.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        result = INTERRUPTED
    except (BrokenPipeError, SystemExit):  # Typer leaves this way when its reader has gone
        return _close_pipe()
    except Exception:
        return _report_bug()
    if result == INTERRUPTED:  # Typer turns Ctrl-C into this
        return _say("interrupted", INTERRUPTED)
    return result if isinstance(result, int) else 0


def _say(text: str, code: int) -> int:
    """Print an error: one line, and at most one more as a hint."""
    line, _, rest = text.partition("\n")
    hint = rest.partition("\n")[0] if rest.startswith("hint:") else ""
    print(f"error: {line}", file=sys.stderr)
    if hint:
        print(hint, file=sys.stderr)
    return code


def _usage_text(fault: typer.TyperException) -> str:
    text = " ".join(fault.format_message().split())
    text = text[:1].lower() + text[1:]
    return text[:300].encode("ascii", "backslashreplace").decode()


def _refuse_repeats(arguments: list[str]) -> None:
    """Refuse an option given twice: the command line would silently take the last one."""
    seen = set()
    for argument in arguments:
        if argument == "--":
            return
        name = argument.partition("=")[0]
        if name.startswith("--") and len(name) > 2:
            if name in seen:
                raise UsageError(f"option given twice: got {shown(name)}; expected it once")
            seen.add(name)


def _keep_negative(arguments: list[str]) -> list[str]:
    """Let a number below zero through as a value, so that its reader can name the range."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [f" {text}" if re.fullmatch(r"-[0-9.]+", text) else text for text in arguments[:end]]
    return kept + arguments[end:]


def _report_bug() -> int:
    handle, name = tempfile.mkstemp(prefix="plyboard-bug-", suffix=".txt")
    with os.fdopen(handle, "w") as file:
        file.write(f"plyboard {__version__}, Python {sys.version}\n{sys.argv}\n")
        traceback.print_exc(file=file)
    kind = sys.exc_info()[0]
    return _say(f"a bug in Plyboard ({kind.__name__ if kind else '?'}); details: {name}", BUG)


def _close_pipe() -> int:
    """Let nobody complain about a reader that has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE


def _terminate(_signal: int, _frame: object) -> NoReturn:
    os._exit(TERMINATED)


def _show_warning(message: Warning | str, *_rest: object, **_more: object) -> None:
    print(f"note: {message}", file=sys.stderr)
