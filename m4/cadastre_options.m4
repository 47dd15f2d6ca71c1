# CADASTRE_TRY_OPTIONS(VARIABLE, OPTIONS)
# Appends to VARIABLE those OPTIONS which the compiler of the current language
# takes without a warning.
AC_DEFUN([CADASTRE_TRY_OPTIONS],
[for cadastre_option in $2; do
  AC_MSG_CHECKING([whether the _AC_LANG compiler takes $cadastre_option])
  AS_VAR_COPY([cadastre_save_flags], _AC_LANG_PREFIX[FLAGS])
  AS_VAR_SET(_AC_LANG_PREFIX[FLAGS], ["$cadastre_save_flags -Werror $cadastre_option"])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM],
    [AC_MSG_RESULT([yes])
     AS_VAR_APPEND([$1], [" $cadastre_option"])],
    [AC_MSG_RESULT([no])])
  AS_VAR_COPY(_AC_LANG_PREFIX[FLAGS], [cadastre_save_flags])
done])

# CADASTRE_VERSION_SCRIPT
# Sets the condition HAVE_VERSION_SCRIPT: the linker takes --version-script.
AC_DEFUN([CADASTRE_VERSION_SCRIPT],
[AC_CACHE_CHECK([whether the linker takes a version script], [cadastre_cv_version_script],
  [echo 'CONFTEST { global: main; local: *; };' >conftest.map
   cadastre_save_LDFLAGS=$LDFLAGS
   LDFLAGS="$LDFLAGS -Wl,--version-script=conftest.map"
   AC_LINK_IFELSE([AC_LANG_PROGRAM],
     [cadastre_cv_version_script=yes], [cadastre_cv_version_script=no])
   LDFLAGS=$cadastre_save_LDFLAGS
   rm -f conftest.map])
AM_CONDITIONAL([HAVE_VERSION_SCRIPT], [test $cadastre_cv_version_script = yes])
])

# CADASTRE_STAY_LOADED
# Sets STAY_LOADED_LDFLAGS so that dlclose does not unload the library, where the linker supports it.
AC_DEFUN([CADASTRE_STAY_LOADED],
[AC_CACHE_CHECK([whether the linker takes -z nodelete], [cadastre_cv_nodelete],
  [cadastre_save_LDFLAGS=$LDFLAGS
   LDFLAGS="$LDFLAGS -Wl,-z,nodelete"
   AC_LINK_IFELSE([AC_LANG_PROGRAM], [cadastre_cv_nodelete=yes], [cadastre_cv_nodelete=no])
   LDFLAGS=$cadastre_save_LDFLAGS])
STAY_LOADED_LDFLAGS=
AS_IF([test $cadastre_cv_nodelete = yes], [STAY_LOADED_LDFLAGS=-Wl,-z,nodelete])
AC_SUBST([STAY_LOADED_LDFLAGS])
])
