#!/bin/sh
# Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The columns of org/matrix.tsv on the double as each version of the other vendors' runtimes, or of TEST_VENDOR's.
. "$(dirname "$0")/matrix.sh"

echo "$doubles" >"$scratch/doubles"
while read -r vendor releases major library; do
  case $vendor in "" | cuda) continue ;; esac
  if [ "${TEST_VENDOR:-$vendor}" != "$vendor" ]; then
    complete=no
    continue
  fi
  case $library in "$(oldest_of "$vendor")" | "$(newest_of "$vendor")") between=no ;; *) between=yes ;; esac
  on "$releases $major" "$vendor" test_backend_cuda CADASTRE_TEST_RUNTIME="$vendor" "$(variable_of "$vendor")=$libraries/$library.so"
done <"$scratch/doubles"
leave vendors
finish
