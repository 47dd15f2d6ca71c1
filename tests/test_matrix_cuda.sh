#!/bin/sh
# Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The columns of org/matrix.tsv on the double of the CUDA runtime, as each version of it, and of the driver.
. "$(dirname "$0")/matrix.sh"

on "CUDA 11" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$libraries/libcuda_double_11.so"
between=yes
on "CUDA 12" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$libraries/libcuda_double_12.so"
between=no
on "CUDA 13" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$libraries/libcuda_double.so"
on "CUDA's driver" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$libraries/libcuda_driver_double.so"
leave cuda
finish
