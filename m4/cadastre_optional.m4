# Tangled from org/api/optional_builds.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# A library that copies cadastre_optional.h copies this file too, into a folder that aclocal searches.
# serial 1

# CADASTRE_OPTIONAL([ACTION-IF-WITH], [ACTION-IF-WITHOUT])
#
# Adds the option --with-cadastre to configure:
#   auto     Cadastre is used if pkg-config finds it (the default)
#   yes      it is used; it is an error if it is not found
#   no       malloc is used
#   PREFIX   as yes, and pkg-config searches this folder first, where Cadastre was installed
#
# Sets for Makefiles:
#   CADASTRE_CFLAGS     for every file that includes cadastre_optional.h; with Cadastre it contains
#                       -DCADASTRE_OPTIONAL_WITH_CADASTRE=1
#   CADASTRE_LIBS       to link what is compiled with it
#   CADASTRE_REQUIRES   cadastre, or nothing: for Requires.private of the library's own file for pkg-config
# and the shell variable cadastre_optional to yes or no. Needs pkg.m4 of pkg-config, and AC_PROG_CC before.
AC_DEFUN([CADASTRE_OPTIONAL],
[AC_REQUIRE([PKG_PROG_PKG_CONFIG])
AC_ARG_WITH([cadastre],
  [AS_HELP_STRING([--with-cadastre@<:@=PREFIX@:>@],
    [allocate with Cadastre: auto (if it is found), yes, no, or the folder where it was installed @<:@auto@:>@])],
  [], [with_cadastre=auto])
cadastre_optional=no
AS_CASE([$with_cadastre],
  [no], [CADASTRE_CFLAGS= CADASTRE_LIBS=],
  [cadastre_optional_path=$PKG_CONFIG_PATH
   AS_CASE([$with_cadastre],
     [yes|auto], [],
     [for cadastre_optional_folder in "$with_cadastre"/lib/*/pkgconfig "$with_cadastre"/lib64/pkgconfig "$with_cadastre"/lib/pkgconfig; do
        AS_IF([test -d "$cadastre_optional_folder"],
          [PKG_CONFIG_PATH=$cadastre_optional_folder${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}])
      done
      export PKG_CONFIG_PATH])
   PKG_CHECK_MODULES([CADASTRE], [cadastre >= 0.1], [cadastre_optional=yes], [cadastre_optional_why="pkg-config does not find it"])
   PKG_CONFIG_PATH=$cadastre_optional_path
   AS_IF([test $cadastre_optional = yes],
     [cadastre_optional_cflags=$CFLAGS cadastre_optional_libs=$LIBS
      CFLAGS="$CFLAGS $CADASTRE_CFLAGS" LIBS="$CADASTRE_LIBS $LIBS"
      AC_MSG_CHECKING([whether programs link to Cadastre])
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cadastre.h>]], [[return cadastre_get_version() == NULL]])],
        [], [cadastre_optional=no cadastre_optional_why="programs do not link to it; see config.log"])
      AC_MSG_RESULT([$cadastre_optional])
      CFLAGS=$cadastre_optional_cflags LIBS=$cadastre_optional_libs])
   AS_CASE([$cadastre_optional,$with_cadastre],
     [yes,*|no,auto], [],
     [AC_MSG_ERROR([--with-cadastre=$with_cadastre: $cadastre_optional_why
Set PKG_CONFIG_PATH to the folder that contains cadastre.pc, name the folder where Cadastre was installed, as in
--with-cadastre=PREFIX, or configure --without-cadastre])])])
AC_MSG_CHECKING([what allocates memory])
AS_IF([test $cadastre_optional = yes],
  [CADASTRE_CFLAGS="$CADASTRE_CFLAGS -DCADASTRE_OPTIONAL_WITH_CADASTRE=1"
   CADASTRE_REQUIRES=cadastre
   AC_MSG_RESULT([Cadastre])],
  [CADASTRE_CFLAGS=
   CADASTRE_LIBS=-pthread
   CADASTRE_REQUIRES=
   AC_MSG_RESULT([malloc])])
AC_SUBST([CADASTRE_CFLAGS])
AC_SUBST([CADASTRE_LIBS])
AC_SUBST([CADASTRE_REQUIRES])
AS_IF([test $cadastre_optional = yes], [$1], [$2])
])
