// Tangled from org/python/package.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The whole extension, for setup.py.
#include "errors.cpp"
#include "memory.cpp"
#include "arguments.cpp"
#include "tables.cpp"
#include "block.cpp"
#include "vendors.cpp"
#include "dlpack.cpp"
#include "block_class.cpp"
#include "lease.cpp"
#include "numpy_arrays.cpp"
#include "context.cpp"
#include "host_resources.cpp"
#include "module.cpp"
