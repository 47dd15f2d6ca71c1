// Tangled from org/layout.org; change the chapter, then run: make tangle
// The layouts as a compiler of C++ sees them.
#include "layouts.h"
