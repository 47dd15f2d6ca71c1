# SPDX-License-Identifier: BSD-3-Clause
# What is installed finds the library also after the installed tree was moved, by paths relative to the file that needs it. No
# path is needed for a folder that the dynamic linker searches by itself, and distributions do not want one.

# CADASTRE_RELATIVE_RUNPATH
# Before LT_INIT: keeps libtool from writing the absolute path of libdir into what it installs. cadastre_libdir is that path.
AC_DEFUN([CADASTRE_RELATIVE_RUNPATH],
[AC_BEFORE([$0], [LT_INIT])dnl
cadastre_expand() {
  cadastre_prefix=$prefix cadastre_exec_prefix=$exec_prefix
  test "x$cadastre_prefix" != xNONE || cadastre_prefix=$ac_default_prefix
  test "x$cadastre_exec_prefix" != xNONE || cadastre_exec_prefix=$cadastre_prefix
  (prefix=$cadastre_prefix exec_prefix=`eval echo "$cadastre_exec_prefix"`; eval echo "$[1]")
}
# cadastre_way FROM TO: the relative path from one folder to another
cadastre_way() {
  echo "$[1] $[2]" | awk '{
    from = split(substr($[]1, 2), a, "/"); to = split(substr($[]2, 2), b, "/")
    for (same = 0; same < from && same < to && a@<:@same + 1@:>@ == b@<:@same + 1@:>@; ++same);
    way = "."
    for (i = same; i < from; ++i) way = way "/.."
    for (i = same + 1; i <= to; ++i) way = way "/" b@<:@i@:>@
    sub("^[.]/", "", way)
    print way }'
}
cadastre_libdir=`cadastre_expand "$libdir"`
cadastre_includedir=`cadastre_expand "$includedir"`
INCLUDEDIR_FROM_LIBDIR=`cadastre_way "$cadastre_libdir" "$cadastre_includedir"`
AC_SUBST([INCLUDEDIR_FROM_LIBDIR])
# What a module file tells a shell.
cadastre_modulefiles=`cadastre_expand "$datadir"`
cadastre_modulefiles=`cadastre_expand "$cadastre_modulefiles"`/cadastre/modulefiles/cadastre
cadastre_bindir=`cadastre_expand "$bindir"`
cadastre_prefix=`cadastre_expand '$cadastre_prefix'`
AC_SUBST([BINDIR_FROM_MODULEFILE], [`cadastre_way "$cadastre_modulefiles" "$cadastre_bindir"`])
AC_SUBST([LIBDIR_FROM_MODULEFILE], [`cadastre_way "$cadastre_modulefiles" "$cadastre_libdir"`])
AC_SUBST([INCLUDEDIR_FROM_MODULEFILE], [`cadastre_way "$cadastre_modulefiles" "$cadastre_includedir"`])
AC_SUBST([PREFIX_FROM_MODULEFILE], [`cadastre_way "$cadastre_modulefiles" "$cadastre_prefix"`])
AS_CASE([$LT_SYS_LIBRARY_PATH],
  [''], [LT_SYS_LIBRARY_PATH=":$cadastre_libdir"],
  [*::*|:*], [LT_SYS_LIBRARY_PATH="$LT_SYS_LIBRARY_PATH:$cadastre_libdir"])
])

# CADASTRE_RUNPATH
# After LT_INIT: sets BIN_RUNPATH_LDFLAGS and LIB_RUNPATH_LDFLAGS, for programs and for libraries that need others of ours.
AC_DEFUN([CADASTRE_RUNPATH],
[AC_MSG_CHECKING([how installed programs find the library])
BIN_RUNPATH_LDFLAGS=
LIB_RUNPATH_LDFLAGS=
AS_CASE([" /lib /lib64 /usr/lib /usr/lib64 $configure_time_dlsearch_path "],
  [*" $cadastre_libdir "*], [AC_MSG_RESULT([the dynamic linker searches $cadastre_libdir])],
  [cadastre_to_libdir=`cadastre_way "$cadastre_bindir" "$cadastre_libdir"`
   BIN_RUNPATH_LDFLAGS="-Wl,-rpath,'\$\$ORIGIN/$cadastre_to_libdir'"
   LIB_RUNPATH_LDFLAGS="-Wl,-rpath,'\$\$ORIGIN'"
   AC_MSG_RESULT([through $cadastre_to_libdir, relative to their folder])])
AC_SUBST([BIN_RUNPATH_LDFLAGS])
AC_SUBST([LIB_RUNPATH_LDFLAGS])
])
