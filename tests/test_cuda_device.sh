#!/bin/sh
# Tangled from org/tests/cuda_double.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The checks of tests/test_cuda_runtime on the CUDA runtime of this machine, if it has one and a device.
unset CADASTRE_CUDA_LIBRARY
exec "${top_builddir:-.}/tests/test_cuda_runtime"
