#!/bin/sh
# Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The columns of org/matrix.tsv on the double as HIP, as each version of it.
. "$(dirname "$0")/matrix.sh"

on "ROCm 5" hip test_backend_cuda CADASTRE_TEST_RUNTIME=hip CADASTRE_HIP_LIBRARY="$doubles/libhip_double_5.so"
on "ROCm 6" hip test_backend_cuda CADASTRE_TEST_RUNTIME=hip CADASTRE_HIP_LIBRARY="$doubles/libhip_double_6.so"
on "ROCm 7" hip test_backend_cuda CADASTRE_TEST_RUNTIME=hip CADASTRE_HIP_LIBRARY="$doubles/libhip_double_7.so"
leave hip
finish
