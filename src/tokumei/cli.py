"""The command ``tokumei``: how it begins, and how it ends.

Exit codes: 0 done; 2 wrong usage or input that cannot be used; 3 refused by the release gate; 130
and 143 ended by Ctrl-C and by the signal TERM; 1 an error of tokumei itself. What fails says so in
one sentence on stderr, which never holds a value of the data.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

OWN_ERROR, UNUSABLE, REFUSED, INTERRUPTED = 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with the arguments of the process, and end the process."""
    _keep_for_answers()
    for stream in (sys.stdout, sys.stderr):
        # A column name that the terminal cannot show must not end the work.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code, sentence = _run(sys.argv[1:] if arguments is None else arguments)
    if sentence:
        print(f"tokumei: {' '.join(sentence.split())}", file=sys.stderr)
    sys.exit(code)


def _keep_for_answers() -> None:
    """Leave the standard output to what is asked for: some solvers print there by themselves."""
    out, own = sys.stdout, sys.stdout is sys.__stdout__
    if out is None or sys.stderr is None or not own:
        return
    mine = os.dup(out.fileno())
    os.dup2(sys.stderr.fileno(), out.fileno())
    sys.stdout = os.fdopen(mine, "w", 1 if out.isatty() else -1, encoding=out.encoding)


def _run(arguments: Sequence[str]) -> tuple[int, str]:
    try:
        from tokumei import commands
    except ModuleNotFoundError as error:
        return UNUSABLE, f"the command needs {error.name}: pip install 'tokumei[cli]'"
    from tokumei.release.io.unseen import unseen

    try:
        with unseen("pandas"):  # files are read and written without it
            code = commands.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED, "interrupted before the end"
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else OWN_ERROR
        return code, "ended by a signal" if code > 128 else ""
    except MemoryError:
        return UNUSABLE, "not enough memory for this table"
    except TimeoutError as error:
        return UNUSABLE, str(error)
    except OSError as error:
        _close_stdout()
        return UNUSABLE, f"cannot write to standard output: {error.strerror}"
    except Exception as error:
        return _explained(error)
    return code, ""


def _close_stdout() -> None:
    # What it still holds cannot be written, and must not be tried again when the process ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explained(error: Exception) -> tuple[int, str]:
    # Typer's errors have this method, in whichever module its version keeps their classes.
    wrong_usage = getattr(error, "format_message", None)
    if wrong_usage is not None:
        return UNUSABLE, f"{wrong_usage().rstrip('.')} (see tokumei --help)"
    if isinstance(error, ModuleNotFoundError):
        return UNUSABLE, str(error)
    # Imported only where it must be there: the error came from it or from what it called.
    release = sys.modules.get("tokumei.release")
    if release is not None and isinstance(error, release.InputError):
        return UNUSABLE, str(error)
    if release is not None and isinstance(error, release.Refused):
        return REFUSED, f"refused, {error}"
    return OWN_ERROR, f"an error of tokumei itself ({type(error).__name__})"
