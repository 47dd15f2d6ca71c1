# Tangled from org/api/optional_builds.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# A library that copies cadastre_optional.h copies this file too, and includes it after project():
#
#   include(CadastreOptional.cmake)
#   add_library(mine mine.c)
#   cadastre_optional(mine)
#
# Adds the variable WITH_CADASTRE:
#   AUTO     Cadastre is used if find_package finds it (the default)
#   ON       it is used; it is an error if it is not found
#   OFF      malloc is used
#   PREFIX   as ON, in the folder where Cadastre was installed
#
# cadastre_optional(TARGET...) compiles and links targets that include cadastre_optional.h. CADASTRE_OPTIONAL_FOUND is
# then TRUE or FALSE; if TRUE, an installed package with a static library needs find_dependency(Cadastre).
set(WITH_CADASTRE AUTO CACHE STRING
  "allocate with Cadastre: AUTO (if it is found), ON, OFF, or the folder where it was installed")

string(TOUPPER "${WITH_CADASTRE}" _cadastre_optional)
set(CADASTRE_OPTIONAL_FOUND FALSE)
if(_cadastre_optional STREQUAL "AUTO")
  find_package(Cadastre 0.1 CONFIG QUIET)
elseif(_cadastre_optional MATCHES "^(ON|YES|TRUE|1)$")
  find_package(Cadastre 0.1 CONFIG REQUIRED)
elseif(NOT _cadastre_optional MATCHES "^(OFF|NO|FALSE|0|)$")
  unset(Cadastre_DIR CACHE)  # of another folder, or of an earlier choice
  find_package(Cadastre 0.1 CONFIG REQUIRED PATHS "${WITH_CADASTRE}" NO_DEFAULT_PATH)
endif()
if(TARGET Cadastre::cadastre AND NOT _cadastre_optional MATCHES "^(OFF|NO|FALSE|0|)$")
  set(CADASTRE_OPTIONAL_FOUND TRUE)
  message(STATUS "what allocates memory: Cadastre ${Cadastre_VERSION}")
else()
  find_package(Threads REQUIRED)
  message(STATUS "what allocates memory: malloc")
endif()
unset(_cadastre_optional)

function(cadastre_optional)
  foreach(target IN LISTS ARGN)
    if(CADASTRE_OPTIONAL_FOUND)
      target_compile_definitions(${target} PRIVATE CADASTRE_OPTIONAL_WITH_CADASTRE=1)
      target_link_libraries(${target} PRIVATE Cadastre::cadastre)
    else()
      target_link_libraries(${target} PRIVATE Threads::Threads)
    endif()
  endforeach()
endfunction()
