# Tangled from org/examples/moments.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
"""Mean and variance of samples that come in pieces, in memory of a context: with labels, a limit, and statistics at the end.

Messages for people are on the standard error; and on the standard output:

    $ python3 moments.py
    50000 samples, mean 0.003772, variance 0.499570
    refused: LIMIT_EXCEEDED, 8388608 bytes, the limit is 1048576
    not freed: kept has 1 user
    at the end: 0 bytes live, at most 80000, 6 allocations
"""
import math
import sys

import cadastre


def fill(block, first):
    """Samples of a process, as another part of a program would write them. A block is a buffer: no copy is made."""
    with memoryview(block) as samples:
        for i in range(len(samples)):
            samples[i] = math.sin(0.01 * (first + i))


def add(block, count, mean, squares):
    """Welford's update, which loses no digits where the mean is large."""
    with memoryview(block) as samples:
        for x in samples:
            count += 1
            difference = x - mean
            mean += difference / count
            squares += difference * (x - mean)
    return count, mean, squares


def main():
    with cadastre.Context(limits={"HOST": 1 << 20}) as context:
        count, mean, squares = 0, 0.0, 0.0
        for first in range(0, 50000, 10000):
            # The end of the "with" frees it, also where an exception leaves.
            with context.allocate((10000,), "float64", label="samples") as block:
                fill(block, first)
                count, mean, squares = add(block, count, mean, squares)
        print(f"{count} samples, mean {mean:.6f}, variance {squares / count:.6f}")

        # More than the context may have: the caller gets an exception with numbers, and a message for people.
        try:
            context.allocate((1 << 20,), "float64", label="all samples at once")
        except cadastre.LimitExceeded as error:
            print(f"refused: {error.reason}, {error.requested} bytes, the limit is {error.limit}")
            print(error, file=sys.stderr)

        # Memory that is still in use is not freed.
        kept = context.allocate(100, label="kept")
        view = memoryview(kept)
        try:
            kept.free()
        except BufferError:
            print(f"not freed: {kept.label} has {kept.users} user")
        view.release()
        kept.free()

        host = context.statistics("HOST")
        print(f"at the end: {host['live_bytes']} bytes live, at most {host['high_water_mark_bytes']}, {host['allocations']} allocations")


if __name__ == "__main__":
    main()
