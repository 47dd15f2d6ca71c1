#!/bin/sh
# Tangled from org/tests/fortran_interface_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module has an interface for each C function, with the types of C, and no other;
# and each macro of the headers that is a number is a constant of the module.
. "$(dirname "$0")/tap.sh"

headers="$srcdir/include/cadastre.h $srcdir/include/cadastre_vocabulary.h $srcdir/include/cadastre_workspace.h"
module="$srcdir/src/fortran/generated/cadastre.F90"
constants="$srcdir/src/fortran/generated/cadastre_vocabulary.inc"

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
        kinds["cadastre_workspace_scheme"] = kinds["cadastre_flags"] = "integer(c_int32_t)"
      kinds["int64_t"] = kinds["cadastre_context"] = kinds["cadastre_lease"] = "integer(c_int64_t)"
      kinds["size_t"] = "integer(c_size_t)"
      kinds["void*"] = kinds["cadastre_queue"] = "type(c_ptr)"
      for (kind in kinds) numbers[kind]
      kinds["cadastre_foreach_block_function"] = kinds["cadastre_out_of_memory_function"] = "type(c_funptr)"
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

# calls_of_fortran MODULE: "NAME(KEYWORD, ...)" for each function and each form of a generic name
calls_of_fortran() {
  awk '
    { sub(/^ +/, ""); if ($0 ~ /^!/ || $0 ~ /^#/) next }
    sub(/&[ ]*$/, "") { held = held $0; next }
    { line = held $0; held = "" }
    line ~ /^interface [a-z]/ { generic = line; sub(/^interface /, "", generic); next }
    line ~ /^end interface/ { generic = "" }
    generic != "" && line ~ /^module procedure / {
      sub(/^module procedure /, "", line)
      n = split(line, each, /, */)
      for (i = 1; i <= n; i++) of[each[i]] = of[each[i]] " " generic
      next
    }
    line ~ /^(impure elemental |elemental )?(subroutine|function) [a-z0-9_]*\(/ {
      name = line
      sub(/^(impure elemental |elemental )?(subroutine|function) /, "", name)
      arguments = name
      sub(/\(.*/, "", name)
      sub(/^[^(]*\(/, "", arguments)
      sub(/\).*/, "", arguments)
      gsub(/ +/, " ", arguments)
      if (name ~ /^cadastre_/) print name "(" arguments ")"
      n = split(of[name], each, " ")
      for (i = 1; i <= n; i++) if (each[i] ~ /^cadastre_/) print each[i] "(" arguments ")"
    }' "$1" | sort -u
}

frozen() {
  cat <<'END'
cadastre_acquire(context, array, shape, lease, type, queue, lower, stat, errmsg)
cadastre_acquire(context, string, length, lease, type, queue, stat, errmsg)
cadastre_acquire(lease, array, shape, lower)
cadastre_acquire(lease, string, length)
cadastre_acquiring(context, lease, type, queue, stat, errmsg)
cadastre_advise(context, address, bytes, advice, device, applied)
cadastre_allocate(context, array, shape, type, device, alignment, label, flags, lower, backend, queue, stat, errmsg, owner)
cadastre_allocate(context, string, length, type, device, alignment, label, flags, backend, queue, stat, errmsg, owner)
cadastre_backend_get_count()
cadastre_backend_get_info(backend, info)
cadastre_backend_get_host_info(backend, info)
cadastre_backend_register(name, operations, content)
cadastre_backend_register_host(name, resource)
cadastre_backend_register_host(name, resource, nodes, near_device)
cadastre_backend_string(backend)
cadastre_backend_unregister(backend)
cadastre_build_options_string()
cadastre_context_check(context)
cadastre_context_create()
cadastre_context_create_with_options(options)
cadastre_context_destroy(context)
cadastre_context_destroy_with_summary(context, summary)
cadastre_context_get_default_queue(context, queue)
cadastre_context_get_options(context, options)
cadastre_context_set_default_queue(context, queue)
cadastre_context_set_timing(context, on)
cadastre_context_set_plain_free(context, on)
cadastre_copy(context, dest, src, queue, stat, errmsg)
cadastre_deallocate(context, array, queue, stat, errmsg, owner)
cadastre_deallocate(context, string, queue, stat, errmsg, owner)
cadastre_deallocate(owner, stat, errmsg)
cadastre_device_by_id(device_id)
cadastre_device_get_info(backend, device_id, info)
cadastre_device_get_memory_usage(backend, device_id, usage)
cadastre_environment_get_count()
cadastre_environment_get_info(index, info)
cadastre_error_string(exit_code)
cadastre_find_block(context, address, info, offset)
cadastre_foreach_block(context, callback, user_data)
cadastre_foreach_block_function(info, user_data)
cadastre_free(context, ptr)
cadastre_free_all(context)
cadastre_free_async(context, ptr, queue)
cadastre_get_allocated_size(context, ptr, size)
cadastre_get_backend_nanoseconds()
cadastre_get_build_options()
cadastre_get_device_statistics(context, type, device_id, statistics)
cadastre_get_malloc_info(context, ptr, info)
cadastre_get_registry_info(context, info)
cadastre_get_statistics(context, type, statistics)
cadastre_get_version()
cadastre_host_get_memory_usage(usage)
cadastre_ipc_close(context, ptr)
cadastre_ipc_export(context, ptr, handle)
cadastre_ipc_import(context, handle, ptr)
cadastre_label(text)
cadastre_last_error(context, error)
cadastre_last_error_message(context)
cadastre_lock(context)
cadastre_malloc(context, info)
cadastre_malloc_plain(context, size, alignment, flags, label)
cadastre_malloc_async(context, info, queue)
cadastre_malloc_strided(context, info, queue)
cadastre_memcpy(context, dest, src, size)
cadastre_memcpy_async(context, dest, src, size, queue)
cadastre_memcpy_strided(context, dest, src, width, count)
cadastre_memcpy_strided_async(context, dest, src, width, count, queue)
cadastre_memory_type_string(type)
cadastre_memset(context, dest, value, size)
cadastre_memset_async(context, dest, value, size, queue)
cadastre_operation_advise(content, address, size, advice, device_id, applied)
cadastre_operation_allocate(content, request, queue, pointer)
cadastre_operation_clone(content, copy)
cadastre_operation_copy(content, dest, dest_place, src, src_place, size, queue)
cadastre_operation_copy_async(content, dest, dest_place, src, src_place, size, queue)
cadastre_operation_destroy(content)
cadastre_operation_device_memory(content, device_id, total, free)
cadastre_operation_free(content, block)
cadastre_operation_max_alignment(content, type)
cadastre_operation_prefetch(content, address, size, device_id, queue, applied)
cadastre_operation_set(content, dest, place, value, size, queue)
cadastre_operation_synchronize(content, device_id, queue)
cadastre_out_of_memory_function(request, user_data)
cadastre_owner_detach(owner)
cadastre_pool_get_info(context, type, info)
cadastre_pool_trim(context, type, min_bytes_to_keep)
cadastre_prefetch(context, address, bytes, device, queue, applied)
cadastre_print_report(context, format, stat, errmsg)
cadastre_realloc(context, ptr, size)
cadastre_reason_string(reason)
cadastre_release(context, lease, array, stat, errmsg)
cadastre_release(context, lease, stat, errmsg)
cadastre_release(context, lease, string, stat, errmsg)
cadastre_report(context, stream, format)
cadastre_report_to_file(context, filename, format, stat, errmsg)
cadastre_reset_high_water_mark(context, type)
cadastre_return_if_size_query(context, exit_code)
cadastre_set_limit(context, type, bytes)
cadastre_set_out_of_memory_function(context, callback, user_data)
cadastre_sizeof(array, shape)
cadastre_sizeof(string, length)
cadastre_string(address)
cadastre_string(characters)
cadastre_string_of_advice(advice)
cadastre_string_of_backend(backend)
cadastre_string_of_error(exit_code)
cadastre_string_of_memory_type(type)
cadastre_string_of_pool(pool)
cadastre_string_of_reason(reason)
cadastre_string_of_report_format(format)
cadastre_string_of_workspace_scheme(scheme)
cadastre_synchronize(context, queue)
cadastre_unlock(context)
cadastre_unwrap(context, ptr)
cadastre_version_string()
cadastre_workspace_acquire(context, type, n, sizes, pointers, lease)
cadastre_workspace_acquire_on_queue(context, type, queue, n, sizes, pointers, lease)
cadastre_workspace_get_info(context, type, info)
cadastre_workspace_is_size_query(context)
cadastre_workspace_release(context, lease)
cadastre_workspace_release_captured(context, type, queue)
cadastre_workspace_scheme_string(scheme)
cadastre_workspace_set_buffer(context, type, buffer, bytes)
cadastre_workspace_set_optimal_size(context, n, sizes)
cadastre_workspace_set_optimal_size(context, sizes)
cadastre_workspace_set_size(context, type, bytes)
cadastre_workspace_start_size_query(context)
cadastre_workspace_stop_size_query(context, bytes)
cadastre_wrap(context, info)
END
}

# The calls that are frozen and that the module no longer has.
changed() {
  calls_of_fortran "$1" | sed 's/)$/,/' >"$scratch/calls"
  frozen | sed 's/)$/,/' | while IFS= read -r call; do
    case $call in *'(,') call=${call%,} ;; esac
    awk -v call="$call" 'index($0, call) == 1 { found = 1 } END { exit !found }' "$scratch/calls" || echo "${call%,}"
  done
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

keeps() {
  changed "$1" >"$scratch/changed"
  cat "$scratch/changed"
  [ ! -s "$scratch/changed" ]
}
renamed() {
  sed "$1" "$module" >"$scratch/renamed.F90"
  ! cmp -s "$module" "$scratch/renamed.F90" && ! keeps "$scratch/renamed.F90"
}
added() {
  sed 's/stat, errmsg, owner)/stat, errmsg, owner, more)/' "$module" >"$scratch/added.F90"
  ! cmp -s "$module" "$scratch/added.F90" && keeps "$scratch/added.F90"
}
claim "the names and keywords that are frozen are there" keeps "$module"
claim "a keyword that is renamed is seen" renamed 's/(context, dest, src, queue/(context, dest, source, queue/'
claim "arguments in another order are seen" renamed 's/queue, stat, errmsg, owner)/stat, errmsg, queue, owner)/'
claim "a generic name that is gone is seen" renamed 's/interface cadastre_sizeof/interface cadastre_bytes/'
claim "a keyword of a C function that is renamed is seen" renamed 's/function cadastre_free(context, ptr)/function cadastre_free(context, address)/'
claim "an argument that is added at the end changes no call" added

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
