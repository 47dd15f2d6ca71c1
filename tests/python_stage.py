# Tangled from org/tests/python_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
"""Claims of Python's package: what their scripts share."""

import gc
import os
import re
import subprocess
import sys
import traceback

import cadastre

claims = []


def claim(sentence):
    def add(function):
        claims.append((sentence, function))
        return function

    return add


class Skip(Exception):
    pass


def raises(kind, function, *arguments, **named):
    """The exception of that class, and of no other, that a call raises."""
    try:
        result = function(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised, but {result!r} returned")


def equal(a, b):
    assert a == b, f"{a!r} is not {b!r}"


def live():
    figures = cadastre.process.statistics()
    return figures["live_blocks"], figures["live_bytes"], figures["borrowed_blocks"]


def in_child(text, **environment):
    """What a process prints that runs a program; it must end with 0."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", text], capture_output=True, text=True, env={**os.environ, **environment}, timeout=100)
    assert done.returncode == 0 and done.stderr == "", f"exit status {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


def run():
    failed = 0
    for number, (sentence, function) in enumerate(claims, 1):
        try:
            function()
            gc.collect()
            equal(live(), (0, 0, 0))
            print(f"ok {number} - {sentence}", flush=True)
        except Skip as why:
            print(f"ok {number} - {sentence} # SKIP {why}", flush=True)
        except BaseException:
            failed += 1
            print(f"not ok {number} - {sentence}")
            print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), flush=True)
            sys.last_value = None
    print(f"1..{len(claims)}")
    return 1 if failed else 0
