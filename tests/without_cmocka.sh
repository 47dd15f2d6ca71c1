#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands for the programs that need cmocka, where configure did not find it.
echo "1..0 # SKIP cmocka 1.1.5 or newer was not found: the tests of the chapters are not built"
