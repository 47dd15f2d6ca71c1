// Tangled from org/api/layout.org; change the chapter, then run: make tangle
// The layouts as a compiler of C++ sees them.
#include "layouts.h"
