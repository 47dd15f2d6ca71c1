// Tangled from org/api/layout.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The layouts as a compiler of C++ sees them.
#include "layouts.h"
