# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_BACKEND(NAME, [CHECK])
# Registers the backend NAME. CHECK is shell code that sets cadastre_build to yes
# or no, and whatever src/backends/backends.am needs of it; without it the
# backend is always built. Result: the condition BACKEND_NAME, and a place in the
# list that config.h has. What CHECK found is a line of the summary, from
# cadastre_NAME; a backend without CHECK has none.
AC_DEFUN([CADASTRE_BACKEND],
[cadastre_build=yes
$2
m4_ifval([$2], [AS_VAR_APPEND([cadastre_backends_found], ["
  m4_format([%-15s], m4_toupper([$1]):) $cadastre_$1"])])
AM_CONDITIONAL([BACKEND_]m4_toupper([$1]), [test $cadastre_build = yes])
AS_IF([test $cadastre_build = yes],
  [AS_VAR_APPEND([cadastre_backend_list], [" X($1)"])
   AS_VAR_APPEND([cadastre_backend_names], [" $1"])])
])

# CADASTRE_VENDOR(NAME, [CHECK])
# Registers the backend NAME of a vendor who has a dialect and no more (org/backends/vendors.org).
AC_DEFUN([CADASTRE_VENDOR],
[CADASTRE_BACKEND([$1], [$2])
AS_IF([test $cadastre_build = yes], [AS_VAR_APPEND([cadastre_vendor_list], [" X($1)"])])
])

# CADASTRE_BACKENDS_END
# Writes the lists of backends; comes after the last CADASTRE_BACKEND.
AC_DEFUN([CADASTRE_BACKENDS_END],
[AC_DEFINE_UNQUOTED([CADASTRE_BUILT_BACKENDS(X)], [$cadastre_backend_list],
  [The backends that are built, as X(name) each.])
AC_DEFINE_UNQUOTED([CADASTRE_BUILT_VENDORS(X)], [$cadastre_vendor_list],
  [Those of them that are made of a dialect.])])
