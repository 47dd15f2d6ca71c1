#!/bin/sh
# Tangled from org/tests/cxx_compile.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The C++ header compiles, in each C++ from 2017 on, without a warning; what would dangle does not.
. "$(dirname "$0")/tap.sh"

CXX=${CXX:-c++}
strict="-Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual"

compiles() { "$@" -I"$scratch/prefix" -I"$srcdir/include" -fsyntax-only "$scratch/program.cpp"; }

# What programs include; and, for those that are compiled in one way, compiled before, where the compiler can. There it does not warn of it.
mkdir "$scratch/prefix" "$scratch/compiled"
printf '#include <cadastre.hpp>\n#include <vector>\n' >"$scratch/prefix/prefix.hpp"
cp "$scratch/prefix/prefix.hpp" "$scratch/compiled"
in_one_way="$CXX -std=c++17 -Werror=unused-result"
$in_one_way -I"$srcdir/include" -x c++-header "$scratch/compiled/prefix.hpp" -o "$scratch/compiled/prefix.hpp.gch" >"$scratch/said" 2>&1 || true
in_one_way="$in_one_way -I$scratch/compiled"

# refuses: the same is refused
refuses() {
  if compiles "$@"; then
    echo "it compiles:"
    cat "$scratch/program.cpp"
    return 1
  fi
}

# program STATEMENTS: they, in a function that has a context
program() {
  cat >"$scratch/program.cpp" <<END
#include <prefix.hpp>
struct holder { holder(const holder&); int x; };
void f(cadastre::context& context, const cadastre::block<int>& constant);
void f(cadastre::context& context, const cadastre::block<int>& constant) {
  void* p = nullptr;
  void* q = nullptr;
  (void) context, (void) constant, (void) p, (void) q;
  $1
}
END
}

# only GOOD BAD: the one statement compiles, the other does not
only() {
  program "$1"
  compiles $in_one_way || { echo "does not compile: $1"; return 1; }
  program "$2"
  refuses $in_one_way
}

use_all() {
  program '
  cadastre::options how;
  cadastre::context other(how), third(std::nothrow, how);
  other = std::move(third);
  (void) other.destroy();
  how.parent = context;
  cadastre::context child(how);
  (void) child.destroy_with_children();
  auto b = context.allocate<double>(3, CADASTRE_PINNED);
  auto c = context.allocate_async<double>(CADASTRE_DEFAULT_QUEUE, 3);
  swap(b, c);
  b.resize(5);
  for (double& x : b) x = 1;
  auto d = context.adopt(b.release());
  d = context.adopt(c.release(), CADASTRE_DEFAULT_QUEUE);
  c = context.allocate_async<double>(CADASTRE_DEFAULT_QUEUE, 3, CADASTRE_PINNED);
  auto r = context.wrap(p, 8);
  for (const auto& info : context.blocks()) q = info.pointer;
  if (auto found = context.find_block(std::nothrow, p)) q = found.info.pointer;
  (void) d.prefetch(CADASTRE_HOST_DEVICE);
  (void) d.advise(CADASTRE_ADVICE_READ_MOSTLY);
  (void) context.device_statistics(CADASTRE_DEVICE, 0);
  context.set_default_queue(context.default_queue());
  auto l = context.acquire(8, 9u, 10ul, (short) 3, cadastre::elements<float>(4));
  auto [v, w] = context.acquire_on_queue(CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, cadastre::elements<float>(4));
  auto n = context.acquire(std::nothrow, 8);
  float* x = n;
  std::tie(x, std::ignore, p, p, std::ignore) = l;
  context.copy(d, c);
  std::vector<double> elsewhere(3);
  context.copy(elsewhere, c);
  context.copy_async(CADASTRE_DEFAULT_QUEUE, c, elsewhere);
  context.set_async(CADASTRE_DEFAULT_QUEUE, c, 0);
  context.copy(x, w, 3);
  context.copy_async(CADASTRE_DEFAULT_QUEUE, v, p, 3);
  context.set(d, 0);
  context.set_async(CADASTRE_DEFAULT_QUEUE, x, 0, 1);
  context.synchronize();
  if (context.workspace_query_size([&] { return context.workspace_set_optimal_size(8, cadastre::elements<double>(3)); }) == 0) return;
  cadastre::memory_resource memory(context);
  std::pmr::vector<int> few(3, &memory);
  std::vector<int, cadastre::allocator<int>> some(3, context);
#if __cplusplus >= 202002L
  cadastre::context fourth({.device = CADASTRE_DEVICE_BY_ID(0)});
  auto e = fourth.allocate<int>(3, {.type = CADASTRE_DEVICE, .label = "named"});
#endif'
}

crosses_libraries() {
  cat >"$scratch/thrower.cpp" <<'END'
#include <cadastre.hpp>
__attribute__((visibility("default"))) void fails();
void fails() {
  cadastre_error_struct details = cadastre_error_struct_zero;
  details.exit_code = CADASTRE_LIMIT_EXCEEDED;
  throw cadastre::error(details);
}
END
  cat >"$scratch/catcher.cpp" <<'END'
#include <cadastre.hpp>
extern "C" const char* cadastre_string_of_error(cadastre_exit_code) { return "an error"; }
void fails();
int main() {
  try {
    fails();
  } catch (const cadastre::error& e) {
    return e.code() == std::error_code(CADASTRE_LIMIT_EXCEEDED, cadastre::category()) ? 0 : 1;
  }
  return 2;
}
END
  set -- $CXX ${CXXFLAGS-} -std=c++17 -I"$srcdir/include" -fvisibility=hidden -fvisibility-inlines-hidden
  "$@" -fPIC -shared "$scratch/thrower.cpp" -o "$scratch/libthrower.so" &&
    "$@" "$scratch/catcher.cpp" -o "$scratch/catcher" -L"$scratch" -lthrower -Wl,-rpath,"$scratch" &&
    "$scratch/catcher"
}

# grown FILE SED: the headers in $scratch/include, with a change in one of them
grown() {
  rm -rf "$scratch/include"
  cp -r "$srcdir/include" "$scratch/include"
  chmod -R u+w "$scratch/include"
  sed -i "$2" "$scratch/include/$1"
  ! cmp -s "$srcdir/include/$1" "$scratch/include/$1" || { echo "nothing was changed in $1 by $2"; return 1; }
}
grown_struct() { grown "$1" "s/^} $2;/  int64_t later[8];\n&/"; }
grown_compiles() {
  echo '#include <cadastre.hpp>' >"$scratch/program.cpp"
  $CXX -std=c++17 -I"$scratch/include" -fsyntax-only "$scratch/program.cpp"
}

structs_do_not_grow_unnoticed() {
  seen=0 others=
  for header in cadastre.h cadastre_workspace.h; do
    for struct in $(sed -n 's/^} \(cadastre_[a-z_]*_struct\);.*/\1/p' "$srcdir/include/$header"); do
      if grep -q "$struct" "$srcdir/include/cadastre.hpp"; then
        seen=$((seen + 1))
        grown_struct $header "$struct" && refused 1 "has grown" grown_compiles || return 1
      else
        others="$others s/^} $struct;/  int64_t later[8];\n&/;"
      fi
    done
  done
  grown cadastre.h "$others" && sed -i "$others" "$scratch/include/cadastre_workspace.h" && grown_compiles || return 1
  [ $seen -ge 7 ] || { echo "only $seen structs were seen"; return 1; }
}

classes_do_not_grow_unnoticed() {
  for member in '  const char\* label = nullptr;' '  detail::parent parent = ' '  std::size_t offset = 0;' \
    '  cadastre_context handle_ = CADASTRE_NULL_CONTEXT;' '  bool ordered_ = false;' '  const void\* pointer_ = nullptr;' \
    '  cadastre_lease handle_ = ' '  bool open_ = true;' '  request what_;'; do
    grown cadastre.hpp "s/^$member/void* later = nullptr; &/" && refused 1 "has grown" grown_compiles || return 1
  done
}

# library NAME OPTION...: a library with the function NAME, which returns 0 if the header is the one it was compiled with
library() {
  name=$1
  shift
  cat >"$scratch/$name.cpp" <<END
#include <cadastre.hpp>
__attribute__((visibility("default"))) const void* $name(bool* good);
const void* $name(bool* good) {
  const cadastre::context_view context(1);
  const cadastre_statistics_struct statistics = context.statistics(CADASTRE_HOST);
  *good = statistics.struct_size == sizeof statistics;
#if defined(__cpp_exceptions)
  bool thrown = false;
  try {
    context.synchronize();
  } catch (const cadastre::error&) {
    thrown = true;
  }
  *good = *good && thrown;
#endif
  cadastre::memory_resource memory(context);
  std::pmr::memory_resource* const base = &memory;
#if defined(__GXX_RTTI)
  *good = *good && dynamic_cast<cadastre::memory_resource*>(base) == &memory;
#endif
  base->deallocate(base->allocate(8), 8);
  return &cadastre::category();
}
END
  $CXX -std=c++17 -O0 -fPIC -shared "$@" "$scratch/$name.cpp" -o "$scratch/lib$name.so"
}

# both ONE OTHER: a program with the two libraries, in either order
both() {
  cat >"$scratch/both.cpp" <<END
#include <cadastre.h>
#include <cstring>
#include <new>
void* cadastre_malloc(cadastre_context, const cadastre_memory_info_struct info) { return ::operator new(info.size); }
cadastre_exit_code cadastre_free(cadastre_context, void* const pointer) { return ::operator delete(pointer), CADASTRE_SUCCESS; }
cadastre_exit_code cadastre_synchronize(cadastre_context, cadastre_queue) { return CADASTRE_FAILURE; }
const char* cadastre_string_of_error(cadastre_exit_code) { return "an error"; }
cadastre_exit_code cadastre_last_error(cadastre_context, cadastre_error_struct*) { return CADASTRE_SUCCESS; }
cadastre_exit_code cadastre_get_statistics(cadastre_context, cadastre_memory_type, cadastre_statistics_struct* statistics) {
  const size_t size = statistics->struct_size;
  std::memset(statistics, 1, size);
  statistics->struct_size = size;
  return CADASTRE_SUCCESS;
}
const void* $1(bool*);
const void* $2(bool*);
int main() {
  bool good[2] = {};
  const void* const one = $1(&good[0]);
  const void* const other = $2(&good[1]);
  return good[0] && good[1] && one == other ? 0 : 1;
}
END
  for order in "-l$1 -l$2" "-l$2 -l$1"; do
    # shellcheck disable=SC2086  # two options
    $CXX -std=c++17 -I"$srcdir/include" "$scratch/both.cpp" -o "$scratch/both" -L"$scratch" $order -Wl,-rpath,"$scratch" &&
      "$scratch/both" || { echo "fails with $order"; return 1; }
  done
}

versions_are_kept_apart() {
  sizes=$(sed -n 's/^#define CADASTRE_HPP_SIZES //p' "$srcdir/include/cadastre.hpp")
  library older -I"$srcdir/include" && grown_struct cadastre.h cadastre_statistics_struct &&
    sed -i "s/^\(#define CADASTRE_HPP_SIZES\) .*/\1 $((sizes + 64))/" "$scratch/include/cadastre.hpp" &&
    library newer -I"$scratch/include" && both older newer
}
exceptions_are_kept_apart() { library with -I"$srcdir/include" && library without -I"$srcdir/include" -fno-exceptions && both with without; }
types_are_kept_apart() { library typed -I"$srcdir/include" && library untyped -I"$srcdir/include" -fno-rtti && both typed untyped; }
versions_share_error_codes() { both older without && both newer untyped; }

g_plus_plus() { $CXX --version | grep -qi clang || echo -Wuseless-cast; }

# shellcheck disable=SC2046  # nothing is no word
has_no_cast_of_c() {
  grown cadastre.hpp '/^#pragma GCC/d' && mkdir "$scratch/system" && mv "$scratch/include"/*.h "$scratch/system" && use_all &&
    cp "$scratch/prefix/prefix.hpp" "$scratch/include" && sed -i 's/(short) 3/3/' "$scratch/program.cpp" &&
    $CXX -std=c++17 -Werror -Wall -Wold-style-cast $(g_plus_plus) -I"$scratch/include" -isystem "$scratch/system" \
      -fsyntax-only "$scratch/program.cpp"
}
# shellcheck disable=SC2046  # nothing is no word
is_silent_on_casts() {
  echo '#include <cadastre.hpp>' >"$scratch/program.cpp"
  compiles $CXX -std=c++17 -Werror -Wall -Wold-style-cast $(g_plus_plus)
}

set --
for compiler in g++ clang++; do
  [ "${CXX%% *}" = $compiler ] || ! command -v $compiler >"$scratch/found" || set -- "$@" $compiler
done
for compiler in "$CXX" "$@"; do
  for standard in c++17 c++20; do
    use_all
    claim "the header compiles with $compiler as $standard without a warning" \
      compiles $compiler -std=$standard $strict
    claim "and with $compiler as $standard where exceptions and run-time types are switched off" \
      compiles $compiler -std=$standard $strict -fno-exceptions -fno-rtti
    claim "and with $compiler as $standard without run-time types alone" \
      compiles $compiler -std=$standard $strict -fno-rtti
  done
done

claim "the header has no cast of C, and no useless one" \
  has_no_cast_of_c
claim "nor does who includes it hear of those in the constants of C" \
  is_silent_on_casts
claim "what a library with hidden visibility throws is caught by its caller" \
  crosses_libraries
claim "a struct that the header has by value does not grow without a new name of the namespace" \
  structs_do_not_grow_unnoticed
claim "nor does a class of the header" \
  classes_do_not_grow_unnoticed
claim "a library of an older version and one of a newer, in one program, use functions of their own" \
  versions_are_kept_apart
claim "so do one with exceptions and one without" \
  exceptions_are_kept_apart
claim "so do one with run-time types and one without" \
  types_are_kept_apart
claim "all of them have the same error codes" \
  versions_share_error_codes
claim "the pointer of a lease outlives no temporary" \
  only 'auto l = context.acquire(8); double* x = l; p = x;' 'double* x = context.acquire(8); p = x;'
claim "nor does the pointer of a temporary" \
  only 'auto l = context.acquire(8); p = l.pointer();' 'p = context.acquire(8).pointer();'
claim "nor what is tied" \
  only 'auto l = context.acquire(8, 8); std::tie(p, q) = l;' 'std::tie(p, q) = context.acquire(8, 8);'
claim "nor one that was moved from" \
  only 'auto l = context.acquire(8); p = l;' 'auto l = context.acquire(8); p = std::move(l);'
claim "a lease is tested as an lvalue" \
  only 'if (auto l = context.acquire(8)) p = l;' 'if (context.acquire(8)) p = q;'
claim "a lease is no number" \
  only 'auto l = context.acquire(8); bool b(l); (void) b;' 'auto l = context.acquire(8); int b = l; (void) b;'
claim "a lease has as many pointers as buffers" \
  only 'auto l = context.acquire(8, 8); std::tie(p, q) = l;' 'auto l = context.acquire(8, 8, 8); std::tie(p, q) = l;'
claim "elements that were acquired keep their type" \
  only 'auto l = context.acquire(cadastre::elements<int>(8)); int* x = l; p = x;' \
       'auto l = context.acquire(cadastre::elements<int>(8)); float* x = l; p = x;'
claim "a lease is not thrown away" \
  only 'auto l = context.acquire(8);' 'context.acquire(8);'
claim "at least one size is acquired" \
  only 'auto l = context.acquire(0);' 'auto l = context.acquire();'
claim "a size is a whole number" \
  only 'auto l = context.acquire(8);' 'auto l = context.acquire(8.0);'
claim "and not true or false" \
  only 'auto l = context.acquire(1);' 'auto l = context.acquire(true);'
claim "elements that need more alignment than a workspace has are not acquired" \
  only 'struct alignas(64) t { int x; }; auto l = context.acquire(cadastre::elements<t>(1));' \
       'struct alignas(128) t { int x; }; auto l = context.acquire(cadastre::elements<t>(1));'
claim "a block is not thrown away" \
  only 'auto b = context.allocate<int>(8);' 'context.allocate<int>(8);'
claim "the address of a block outlives no temporary" \
  only 'auto b = context.allocate<int>(8); p = b.get();' 'p = context.allocate<int>(8).get();'
claim "nor do its elements" \
  only 'auto b = context.allocate<int>(8); p = b.begin();' 'p = context.allocate<int>(8).begin();'
claim "nor does one of them" \
  only 'auto b = context.allocate<int>(8); p = &b[0];' 'p = &context.allocate<int>(8)[0];'
claim "a const block is not written" \
  only '(void) constant[0];' 'constant[0] = 1;'
claim "nor copied to" \
  only 'context.copy(p, constant);' 'context.copy(constant, p);'
claim "a block is of a type that is copied byte by byte" \
  only 'auto b = context.allocate<int>(1); (void) b;' 'auto b = context.allocate<holder>(1); (void) b;'
claim "and that can be written" \
  only 'cadastre::block<int> b;' 'cadastre::block<const int> b;'
claim "copies do not change the type of elements" \
  only 'int x[3]; context.copy(x, constant);' 'long x[3]; context.copy(x, constant);'
claim "nor do those from containers" \
  only 'std::vector<int> v; context.copy(v, constant);' 'std::vector<long> v; context.copy(v, constant);'
claim "a const container is not copied to" \
  only 'std::vector<int> v; context.copy(v, constant);' 'const std::vector<int> v; context.copy(v, constant);'
claim "copies between pointers have a count" \
  only 'context.copy(p, q, 1);' 'context.copy(p, q);'
claim "contexts are not copied" \
  only 'cadastre::context other(std::move(context));' 'cadastre::context other(context);'
claim "blocks are not copied" \
  only 'cadastre::block<int> b; auto c = std::move(b);' 'cadastre::block<int> b; auto c = b;'
claim "leases are not copied" \
  only 'auto l = context.acquire(8); auto m = std::move(l);' 'auto l = context.acquire(8); auto m = l;'
claim "a context does not begin with a number by mistake" \
  only 'cadastre::context_view v(context.handle());' 'cadastre::context_view v = context.handle();'
finish
