#!/bin/sh
# Tangled from org/fortran.org; change the chapter, then run: make tangle
# The Fortran module has an interface for each C function, with the types of C, and no other;
# and each macro of the headers that is a number is a constant of the module.
. "$(dirname "$0")/tap.sh"

headers="$srcdir/include/cadastre.h $srcdir/include/cadastre_vocabulary.h $srcdir/include/cadastre_workspace.h"
module="$srcdir/src/fortran/cadastre.F90"
constants="$srcdir/src/fortran/cadastre_vocabulary.inc"

# functions_of_c HEADER...: "NAME RESULT ARGUMENT ..." for each CADASTRE_API and each pointer to a function
functions_of_c() {
  cat "$@" | sed 's|/\*.*\*/||g; /^ *\/\*/,/\*\//d; /^ *#/d' | tr '\n' ' ' | tr ';' '\n' | awk '
    function fortran(type, result) {
      gsub(/ *const */, " ", type)
      sub(/ [a-z_]*$/, "", type)          # the name of the argument
      gsub(/^ +| +$/, "", type)
      if (type in kinds) return kinds[type] (result ? "" : ",value")
      if (type ~ /_struct\*$/) { sub(/\*/, "", type); return "type(" type ")" }
      if (type ~ /_struct$/) return "type(" type "),value"
      if (type ~ /\*$/ && substr(type, 1, length(type) - 1) in numbers)
        return kinds[substr(type, 1, length(type) - 1)]
      if (type ~ /\*$/) return "type(c_ptr)" (result ? "" : ",value")
      return type
    }
    BEGIN {
      kinds["int"] = "integer(c_int)"
      kinds["int32_t"] = kinds["cadastre_exit_code"] = kinds["cadastre_reason"] = \
        kinds["cadastre_memory_type"] = kinds["cadastre_backend"] = kinds["cadastre_pool"] = \
        kinds["cadastre_advice"] = kinds["cadastre_report_format"] = \
        kinds["cadastre_workspace_scheme"] = "integer(c_int32_t)"
      kinds["int64_t"] = kinds["cadastre_context"] = kinds["cadastre_lease"] = "integer(c_int64_t)"
      kinds["size_t"] = "integer(c_size_t)"
      kinds["void*"] = kinds["cadastre_queue"] = "type(c_ptr)"
      for (kind in kinds) numbers[kind]
      kinds["cadastre_foreach_block_function"] = "type(c_funptr)"
    }
    function tell(name, result, arguments,   line, argument, n, i) {
      sub(/\).*/, "", arguments)
      line = name " " fortran(result " " name, 1)
      if (arguments != "void") {
        n = split(arguments, argument, ",")
        for (i = 1; i <= n; i++) line = line " " fortran(argument[i], 0)
      }
      print line
    }
    { gsub(/ +/, " ") }
    sub(/^.*CADASTRE_API /, "") {
      head = substr($0, 1, index($0, "(") - 1)
      name = head
      sub(/.* /, "", name)
      sub(/ ?[^ ]*$/, "", head)
      tell(name, head, substr($0, index($0, "(") + 1))
      next
    }
    match($0, /[a-z0-9_]+ \(\*[a-z_]+\)\(/) {
      arguments = substr($0, RSTART + RLENGTH)
      $0 = substr($0, RSTART, RLENGTH)
      name = $2
      gsub(/[(*)]/, "", name)
      tell(name ~ /^cadastre_/ ? name : "cadastre_operation_" name, $1, arguments)
    }' | sort
}

# functions_of_fortran MODULE: the same for each bind(c, name='cadastre_...') and each abstract interface
functions_of_fortran() {
  awk '
    { sub(/^ +/, ""); sub(/!.*/, "") }
    sub(/&[ ]*$/, "") { held = held $0; next }
    { line = held $0; held = "" }
    line ~ /^function .*bind\(c, name=.cadastre_/ || line ~ /^function cadastre_.*bind\(c\)/ {
      own = line
      sub(/^function /, "", own)
      name = own
      sub(/.*name=./, "", name)
      sub(/[^a-z0-9_].*/, "", name)
      arguments = substr(own, index(own, "(") + 1)
      sub(/\).*/, "", arguments)
      sub(/\(.*/, "", own)
      if (own != name) print own " is bound to " name
      result = line
      sub(/.*result\(/, "", result)
      sub(/\).*/, "", result)
      inside = 1
      split("", types)
      next
    }
    inside && line ~ /::/ {
      type = line
      sub(/ *::.*/, "", type)
      gsub(/, *(intent\(in(out)?\)|optional|dimension\(\*\))| /, "", type)
      names = line
      sub(/.*:: */, "", names)
      n = split(names, each, /, */)
      for (i = 1; i <= n; i++) types[each[i]] = type
      next
    }
    inside && line ~ /^end function/ {
      told = name " " types[result]
      n = split(arguments, each, /, */)
      for (i = 1; i <= n; i++) told = told " " types[each[i]]
      print told
      inside = 0
    }' "$1" | sort
}

# Fortran, to which case means nothing, has a function by the name of CADASTRE_VERSION.
constants_of_c() {
  sed -n 's/^#define \(CADASTRE_[A-Z0-9_]*\) .*[0-9].*/\1/p' "$@" | grep -vx CADASTRE_VERSION | sort
}

constants_of_fortran() {
  sed -n 's/^.*parameter, public :: \(CADASTRE_[A-Z0-9_]*\) = .*/\1/p' "$@" | sort
}

same() {
  diff "$1" "$2"
}

# planted SED: the module, changed, is no longer the one of the headers
planted() {
  sed "$1" "$module" >"$scratch/planted.F90"
  ! cmp -s "$module" "$scratch/planted.F90" || return 1
  functions_of_fortran "$scratch/planted.F90" >"$scratch/planted"
  ! same "$scratch/c" "$scratch/planted"
}

functions_of_c $headers >"$scratch/c"
functions_of_fortran "$module" >"$scratch/fortran"
constants_of_c $headers >"$scratch/constants-c"
constants_of_fortran "$module" "$constants" >"$scratch/constants-fortran"

declared=$(cat $headers | grep -c '^CADASTRE_API .*\|(\*[a-z_]*)(')
claim "each of the $declared functions of the headers is read" \
  test "$declared" -gt 0 -a "$declared" -eq "$(grep -c . "$scratch/c")"
claim "the interfaces have the names, results and arguments of the functions" \
  same "$scratch/c" "$scratch/fortran"
claim "every number that is a macro is a constant, and no other" \
  same "$scratch/constants-c" "$scratch/constants-fortran"

claim "an interface that is missing is seen" \
  planted '/function cadastre_lock(/,/end function/d'
claim "an interface to nothing is seen" \
  planted "s/^    function cadastre_lock(context)/    function cadastre_bolt(context) bind(c, name='cadastre_bolt') result(r)\\
  integer(c_int64_t), value :: context\\
  integer(c_int32_t) :: r\\
  end function\\
&/"
claim "an interface with another name than its function is seen" \
  planted "s/name='cadastre_lock'/name='cadastre_bolt'/"
claim "an argument of another kind is seen" \
  planted '/function cadastre_set_limit/,/end function/s/c_size_t/c_int32_t/'
claim "an argument that is not passed by value is seen" \
  planted '/function cadastre_free(/,/end function/s/c_ptr), value/c_ptr)/'
claim "an argument that is reset before C sees it is seen" \
  planted '/function cadastre_find_block/,/end function/s/intent(inout)/intent(out)/'
claim "an argument too many is seen" \
  planted 's/function cadastre_lock(context)/function cadastre_lock(context, context)/'
claim "a function of a workspace that is missing is seen" \
  planted '/function cadastre_workspace_release(/,/end function/d'
claim "sizes of another kind are seen" \
  planted '/function cadastre_workspace_acquire(/,/end function/s/c_size_t), dim/c_int64_t), dim/'
claim "an operation of another kind is seen" \
  planted '/function cadastre_operation_copy(/,/end function/s/c_size_t/c_int/'
claim "an operation that is missing is seen" \
  planted '/function cadastre_operation_destroy(/,/end function/d'
claim "a result of another kind is seen" \
  planted '/function cadastre_context_create/,/end function/s/c_int64_t/c_int32_t/'
finish
