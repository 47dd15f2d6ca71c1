# SPDX-License-Identifier: BSD-3-Clause
# The library is C++ inside; who uses it is not. A program in C or Fortran names no C++ runtime where the library is shared, and
# the library needs none of the machine where it has one inside.

# CADASTRE_CXX_RUNTIME
# After LT_INIT: sets CXX_RUNTIME_LIBS, which a C program needs in addition to the static library; PROGRAM_CXX_RUNTIME_LIBS, the
# same for the programs of this package, empty where they use the shared library; and STATIC_LIBSTDCXX, yes or no.
AC_DEFUN([CADASTRE_CXX_RUNTIME],
[AC_REQUIRE([AC_PROG_SED])dnl
AC_ARG_WITH([static-libstdcxx],
  [AS_HELP_STRING([--with-static-libstdcxx],
    [link libstdc++ statically into the shared libraries: yes or no @<:@no@:>@])],
  [], [with_static_libstdcxx=no])
AC_LANG_PUSH([C++])
AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
#include <version>
#ifndef _LIBCPP_VERSION
#error another C++ library
#endif
]])], [CXX_RUNTIME_LIBS=-lc++], [CXX_RUNTIME_LIBS=-lstdc++])
AS_IF([test "x$enable_shared" = xyes], [PROGRAM_CXX_RUNTIME_LIBS=], [PROGRAM_CXX_RUNTIME_LIBS=$CXX_RUNTIME_LIBS])
AS_CASE([$with_static_libstdcxx],
  [no], [],
  [yes],
  [AS_IF([test "x$CXX_RUNTIME_LIBS" != x-lstdc++],
     [AC_MSG_ERROR([--with-static-libstdcxx was given, and the C++ library of $CXX is not libstdc++; leave the option out])])
   AC_MSG_CHECKING([for a libstdc++.a that can be linked into a shared library])
   cadastre_libstdcxx=`$CXX $CXXFLAGS -print-file-name=libstdc++.a 2>/dev/null`
   cadastre_ldflags=$LDFLAGS
   LDFLAGS="$LDFLAGS -shared -fPIC -static-libstdc++"
   AC_LINK_IFELSE([AC_LANG_SOURCE([[
#include <stdexcept>
#include <string>
int f(int i) { try { throw std::runtime_error(std::to_string(i)); } catch (const std::exception& e) { return e.what()[0]; } }
]])], [], [cadastre_libstdcxx=])
   LDFLAGS=$cadastre_ldflags
   AS_CASE([$cadastre_libstdcxx],
     [/*], [AC_MSG_RESULT([$cadastre_libstdcxx])],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([--with-static-libstdcxx was given, and $CXX has no libstdc++.a that can be linked into a shared library; install it, or leave the option out])])
   # libtool names the C++ runtime itself, which -static-libstdc++ does not change. libgcc stays shared: a thread that ends while
   # a callback runs is unwound by the libgcc_s of the C library, through frames of this one.
   postdeps_CXX=`AS_ECHO(["$postdeps_CXX"]) | $SED "s,-lstdc++,$cadastre_libstdcxx,g"`],
  [AC_MSG_ERROR([--with-static-libstdcxx=$with_static_libstdcxx was given; give yes or no])])
STATIC_LIBSTDCXX=$with_static_libstdcxx
AC_LANG_POP([C++])
AC_SUBST([CXX_RUNTIME_LIBS])
AC_SUBST([PROGRAM_CXX_RUNTIME_LIBS])
AC_SUBST([STATIC_LIBSTDCXX])
])
