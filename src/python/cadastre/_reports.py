# Tangled from org/python/package.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
"""Reports on traces and black boxes."""

import json
import os
import shutil
import subprocess
from typing import Any, Dict, Sequence, Union

from cadastre._errors import Error


def _command():
    named = os.environ.get("CADASTRE_COMMAND")
    found = shutil.which(named or "cadastre")
    if found is None:
        raise FileNotFoundError(
            f"there is no command {named or 'cadastre'}, which reads traces; build Cadastre with --enable-command, and have its folder in "
            "PATH or name the program in CADASTRE_COMMAND"
        )
    return found


def _run(kind, paths, options):
    command = [_command(), "report", "--json", *kind, *options, "--", *(os.fspath(path) for path in paths)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 0:
        error = Error(done.stderr.decode(errors="replace").strip() or f"{command[0]} ended with {done.returncode}")
        error.function = "report"
        raise error
    return json.loads(done.stdout)


def report(*paths: Union[str, "os.PathLike[str]"], options: Sequence[str] = ()) -> Dict[str, Any]:
    """The report on traces, as a dict: what "cadastre report --json" writes.

    paths are files that CADASTRE_TRACE made, compressed or not; options are further options of the command. The dict has
    "schema_version", and in "traces" one dict for each file. Raises FileNotFoundError without the command, and Error with
    its message where it refuses a file. Cost: a process, which reads the files; the interpreter's other threads go on
    meanwhile.
    """
    if not paths:
        raise ValueError("name at least one trace")
    return _run((), paths, options)


def black_boxes(*paths: Union[str, "os.PathLike[str]"], options: Sequence[str] = ()) -> Dict[str, Any]:
    """The report on black boxes of processes that run or were killed, as a dict.

    paths are files that CADASTRE_BLACKBOX made, or folders of them; without any, all of the user. As report() otherwise.
    """
    return _run(("--blackbox",), paths, options)
