# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_PYTHON
# Finds what builds Python's package: an interpreter with its headers, and pybind11. What its stanza in src/python/python.am needs: the condition
# BUILD_PYTHON; PYTHON, PYTHON_CPPFLAGS, PYTHON_RUNPATH_LDFLAGS, pythondir. For the summary: build_python. It is not built unless it is asked for: it is for one
# interpreter, and takes as long as the library. Most have it as a wheel instead, which src/python builds by itself.
AC_DEFUN([CADASTRE_PYTHON],
[AC_ARG_ENABLE([python],
  [AS_HELP_STRING([--enable-python], [build the package of Python, in the folder of PYTHON's packages: yes or no @<:@no@:>@])],
  [], [enable_python=no])
AC_ARG_VAR([PYTHON], [the interpreter of Python that --enable-python builds for])
AC_ARG_VAR([pythondir], [where the package goes @<:@PREFIX/lib/pythonVERSION/site-packages@:>@])
PYTHON_CPPFLAGS=
build_python=no
AS_IF([test "x$enable_python" != xno],
  [build_python="no: not found: headers of Python 3.8 or later, with pybind11"
   AC_MSG_CHECKING([for a Python with its headers and pybind11])
   # One that has NumPy comes first, as the tests need it.
   AS_IF([test -n "$PYTHON"], [set dummy "$PYTHON"],
     [python3 -c 'import numpy' 2>&AS_MESSAGE_LOG_FD || ! /usr/bin/python3 -c 'import numpy' 2>&AS_MESSAGE_LOG_FD],
     [set dummy python3 /usr/bin/python3], [set dummy /usr/bin/python3 python3])
   shift
   for cadastre_python in "$[@]"; do
     AS_CASE([$build_python], [yes*], [continue])
     cadastre_folders=`$cadastre_python -c '
import sys, sysconfig
if sys.version_info < (3, 8): sys.exit(1)
folders = @<:@sysconfig.get_path("include")@:>@
try:
    import pybind11
    folders.append(pybind11.get_include())
except ImportError:
    pass
print(*("-isystem " + folder for folder in folders))
print("%d.%d" % sys.version_info@<:@:2@:>@)' 2>&AS_MESSAGE_LOG_FD` || continue
     cadastre_version_of_python=`echo "$cadastre_folders" | sed -n 2p`
     cadastre_folders=`echo "$cadastre_folders" | sed -n 1p`
     cadastre_cppflags=$CPPFLAGS
     CPPFLAGS="$CPPFLAGS $cadastre_folders"
     AC_LANG_PUSH([C++])
     AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <pybind11/pybind11.h>
#if PYBIND11_VERSION_MAJOR * 100 + PYBIND11_VERSION_MINOR < 210
#error pybind11 2.10 is needed
#endif]])],
       [PYTHON=$cadastre_python
        PYTHON_CPPFLAGS=$cadastre_folders
        build_python="yes: Python $cadastre_version_of_python"])
     AC_LANG_POP([C++])
     CPPFLAGS=$cadastre_cppflags
   done
   AC_MSG_RESULT([$build_python])
   AS_IF([test "x$enable_shared" = xno], [build_python="no: it needs the shared library"])
   AS_CASE([$build_python], [no*], [AC_MSG_ERROR([--enable-python: ${build_python#no: }
Install them (on Debian: python3-dev pybind11-dev), or name the interpreter, as in PYTHON=/usr/bin/python3. What was tried is in config.log.])])])
AS_IF([test -z "$pythondir"], [pythondir='${prefix}/lib/python'$cadastre_version_of_python/site-packages])
PYTHON_RUNPATH_LDFLAGS=
AS_IF([test -n "$LIB_RUNPATH_LDFLAGS"],
  [cadastre_packages=`cadastre_expand "$pythondir"`
   cadastre_to_libdir=`cadastre_way "$cadastre_packages/cadastre" "$cadastre_libdir"`
   PYTHON_RUNPATH_LDFLAGS="-Wl,-rpath,'\$\$ORIGIN/$cadastre_to_libdir'"])
AC_SUBST([PYTHON_RUNPATH_LDFLAGS])
AM_CONDITIONAL([BUILD_PYTHON], [AS_CASE([$build_python], [yes*], [true], [false])])
AC_SUBST([PYTHON_CPPFLAGS])
])
