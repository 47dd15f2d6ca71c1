#!/bin/sh
# Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The columns of org/matrix.tsv that need no runtime of a vendor.
. "$(dirname "$0")/matrix.sh"

on host host test_backend_host
on emulated emulated test_backend_emulated
on registered registered test_backend_registered
on openmp openmp test_backend_openmp
leave host
finish
