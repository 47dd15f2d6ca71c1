/* Tangled from org/tests/optional_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* The layouts in the header of a library that is built without Cadastre. */
#include "cadastre_optional.h"

#include "layouts.h"
