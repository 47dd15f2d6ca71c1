# SPDX-License-Identifier: BSD-3-Clause
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

# CADASTRE_TLS_DESCRIPTORS(VARIABLE)
# Appends to VARIABLE the option for descriptors of thread-local storage, where the compiler has it and the linker links a
# shared library with them. They are as cheap as static storage while there is some, and need none.
AC_DEFUN([CADASTRE_TLS_DESCRIPTORS],
[AC_CACHE_CHECK([whether compiler and linker take -mtls-dialect=gnu2], [cadastre_cv_tls_descriptors],
  [cadastre_save_flags=$CXXFLAGS
   cadastre_save_LDFLAGS=$LDFLAGS
   CXXFLAGS="$CXXFLAGS -Werror -fPIC -mtls-dialect=gnu2"
   LDFLAGS="$LDFLAGS -shared"
   AC_LINK_IFELSE([AC_LANG_SOURCE([[thread_local int number; int next() { return ++number; }]])],
     [cadastre_cv_tls_descriptors=yes], [cadastre_cv_tls_descriptors=no])
   CXXFLAGS=$cadastre_save_flags
   LDFLAGS=$cadastre_save_LDFLAGS])
AS_IF([test $cadastre_cv_tls_descriptors = yes], [AS_VAR_APPEND([$1], [" -mtls-dialect=gnu2"])])
])

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

# CADASTRE_WRAP_NEW
# Sets WRAP_NEW_LDFLAGS, and the condition WRAPS_NEW: the linker can put a function before another library's operator new.
AC_DEFUN([CADASTRE_WRAP_NEW],
[AC_CACHE_CHECK([whether the linker wraps operator new], [cadastre_cv_wrap_new],
  [cadastre_save_LDFLAGS=$LDFLAGS
   LDFLAGS="$LDFLAGS -Wl,--wrap=_Znwm"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cstddef>
       void* real(std::size_t size) __asm__("__real__Znwm");
       void* wrap(std::size_t size) __asm__("__wrap__Znwm");
       void* wrap(std::size_t size) { return real(size); }]], [[delete new int;]])],
     [cadastre_cv_wrap_new=yes], [cadastre_cv_wrap_new=no])
   LDFLAGS=$cadastre_save_LDFLAGS])
WRAP_NEW_LDFLAGS=
AS_IF([test $cadastre_cv_wrap_new = yes],
  [for cadastre_new in _Znwm _Znam; do
     for cadastre_kind in "" St11align_val_t RKSt9nothrow_t St11align_val_tRKSt9nothrow_t; do
       WRAP_NEW_LDFLAGS="$WRAP_NEW_LDFLAGS -Wl,--wrap=$cadastre_new$cadastre_kind"
     done
   done])
AC_SUBST([WRAP_NEW_LDFLAGS])
AM_CONDITIONAL([WRAPS_NEW], [test $cadastre_cv_wrap_new = yes])
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
