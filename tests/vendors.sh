# Tangled from org/tests/vendors.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# To be sourced by scripts that run on each vendor's runtime: the vendors, and their doubles, the oldest of each first.
# shellcheck disable=SC2034  # not each script uses all

vendors="cuda hip"
# Vendor, releases, major, library.
doubles='
cuda CUDA 11 libcuda_double_11
cuda CUDA 12 libcuda_double_12
cuda CUDA 13 libcuda_double
hip ROCm 5 libhip_double_5
hip ROCm 6 libhip_double_6
hip ROCm 7 libhip_double_7
'

# variable_of VENDOR: the variable that names his runtime
variable_of() { echo "CADASTRE_$(echo "$1" | tr '[:lower:]' '[:upper:]')_LIBRARY"; }

# newest_of VENDOR, oldest_of VENDOR: a double of his
newest_of() { echo "$doubles" | awk -v vendor="$1" '$1 == vendor { name = $4 } END { print name }'; }
oldest_of() { echo "$doubles" | awk -v vendor="$1" '$1 == vendor { print $4; exit }'; }
