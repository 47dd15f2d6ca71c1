# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_PROG_CXX20
# Adds to CXX the option with which it compiles C++20, or stops.
AC_DEFUN([CADASTRE_PROG_CXX20],
[AC_REQUIRE([AC_PROG_CXX])dnl
AC_LANG_PUSH([C++])
AC_CACHE_CHECK([for the option of $CXX that gives C++20], [cadastre_cv_cxx20],
  [cadastre_cv_cxx20=no
   cadastre_save_CXX=$CXX
   for cadastre_option in -std=c++20 -std=c++2a ''; do
     CXX="$cadastre_save_CXX $cadastre_option"
     AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <bit>
#include <concepts>
#include <span>
template <std::unsigned_integral T> constexpr T twice(T x) { return x + x; }
struct pair { int first, second; };
static_assert(std::has_single_bit(twice(4u)));
]], [[
pair p{.first = 1, .second = 2};
std::span<int> s(&p.first, 1);
return s[0] - 1;
]])],
       [cadastre_cv_cxx20=${cadastre_option:-none needed}; break])
   done
   CXX=$cadastre_save_CXX])
AS_CASE([$cadastre_cv_cxx20],
  [no], [AC_MSG_ERROR([$CXX does not compile C++20; name a newer compiler, as in CXX=g++-12 or CXX=clang++-14])],
  ['none needed'], [],
  [CXX="$CXX $cadastre_cv_cxx20"])
AC_LANG_POP([C++])
])
