#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each guide has a whole program, and a program prints what its first comment says: the lines behind "$ ./program" there.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/first_comment.sh"

examples=$srcdir/examples
build=$(cd "$top_builddir" && pwd)

# --- what programs print

# performs WORD...: the command of a comment, with what was built
performs() {
  case $1 in
    ./*) program=$build/examples/${1#./} && shift && alone "$program" "$@" ;;
    python3)
      shift
      alone env "PYTHONPATH=$scratch/packages" PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=debug "LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        "$PYTHON" -W error "$examples/$1" ;;
    *) echo "how is this run? $*"; return 1 ;;
  esac
}

python=no
if [ -f "$build/src/python/.libs/_cadastre.so" ]; then
  python=yes
  mkdir "$scratch/packages"
  cp -r "$srcdir/src/python/cadastre" "$scratch/packages" && chmod -R u+w "$scratch/packages"
  ln -s "$build/src/python/.libs/_cadastre.so" "$scratch/packages/cadastre/_cadastre.so"
fi

for file in "$examples"/*.c "$examples"/*.py; do
  commands "$file" >"$scratch/commands"
  [ -s "$scratch/commands" ] || continue
  name=${file##*/}
  echo "$name" >>"$scratch/compared"
  while IFS= read -r command <&3; do
    sentence="$name: \"$command\" prints what it says"
    case $name in
      *.py) [ $python = yes ] || { skip "$sentence" "the build has no Python; configure with --enable-python"; continue; } ;;
    esac
    # shellcheck disable=SC2086  # words of a command
    claim "$sentence" prints "$file" "$command" performs $command
  done 3<"$scratch/commands"
done

# --- what the programs are there for, beside what they print

explained() {
  alone "$build/examples/find_mistakes" 2>&1 >/dev/null | tee "$scratch/messages"
  for text in 'lies 24 bytes inside the block at .*labelled "matrix"' 'was freed before: .*labelled "vector"' 'the limit of this context is 10000 bytes'; do
    grep -q "$text" "$scratch/messages" || { echo "no message: $text"; return 1; }
  done
}
claim "find_mistakes.c: messages for people name the blocks" explained
says_what_fell_back() {
  alone "$build/examples/huge_table" 2>&1 >/dev/null | tee "$scratch/messages"
  [ ! -s "$scratch/messages" ] || grep -q '^huge_table: .*pages' "$scratch/messages"
}
claim "huge_table.c: where pages are others, it says why" says_what_fell_back
short_of_memory() {
  refused 1 "heat_steps: cadastre_malloc: cannot allocate 160000 bytes of HOST" alone CADASTRE_LIMIT=HOST=200K "$build/examples/heat_steps" &&
    refused 1 "scratch_cost: a block for each call: cadastre_malloc: " alone CADASTRE_LIMIT=HOST=10K "$build/examples/scratch_cost" &&
    refused 1 "huge_table: cadastre_malloc: " alone CADASTRE_LIMIT=HOST=1M "$build/examples/huge_table" &&
    refused 1 "vector: cadastre_malloc: " alone CADASTRE_LIMIT=HOST=10 "$build/examples/find_mistakes"
}
claim "where memory is short, each says so, with exit status 1" short_of_memory
# Each allocation fails in turn: a program frees what it has, so that nothing is reported as left, and ends with 1.
fails_in_turn() {
  for k in 1 2 3 4; do
    refused 1 "heat_steps: cadastre_malloc: " alone CADASTRE_REPORT=stderr CADASTRE_FAIL="malloc:$k" "$build/examples/heat_steps" || return
    grep -q '^type ' "$scratch/refusal" && ! grep -q '^HOST  *[1-9]' "$scratch/refusal" || { echo "it leaves blocks"; return 1; }
  done
}
claim "heat_steps.c: whichever allocation fails, it frees the others" fails_in_turn
grows() {
  alone CADASTRE_TRACE="$scratch/leak.trace" "$build/examples/heat_steps" leak >"$scratch/printed" && "$CADASTRE" report "$scratch/leak.trace" >"$scratch/report" || return
  cat "$scratch/report"
  sed -n '/^Grew until the end/,/^$/p' "$scratch/report" | grep -q '100 blocks  HOST  halo'
}
if [ -x "${CADASTRE-}" ]; then claim "heat_steps.c: cadastre report names what leaks" grows; else skip "heat_steps.c: cadastre report names what leaks" "the command was not built"; fi

# --- the table of guides and programs

# rows README: GUIDE PROGRAM TEST-OR-WHY
rows() { sed -nE 's/^\| \[\[file:[.][.]\/doc\/guides\/([a-z-]+)[.]org\]\[[a-z-]+\]\] +\| ([^ |]+) +\| (.*[^ ]) +\|$/\1|\2|\3/p' "$1"; }
# covered README GUIDES: each guide has one row, each row a program that is there and a test that runs it, or says why it has none
covered() {
  status=0
  rows "$1" >"$scratch/rows"
  for guide in "$2"/*.org; do
    guide=$(basename "$guide" .org)
    [ "$(grep -c "^$guide|" "$scratch/rows")" -eq 1 ] || { echo "the guide $guide has no row of its own in examples/README.org"; status=1; }
  done
  while IFS='|' read -r guide program test; do
    [ -f "$2/$guide.org" ] || { echo "there is no guide $guide"; status=1; }
    if [ "$program" = none ]; then
      case $test in *" "*.) ;; *) echo "$guide: a guide without a program has a sentence that says why"; status=1 ;; esac
      continue
    fi
    grep -qF "examples/$program]" "$2/$guide.org" || { echo "the guide $guide does not link to examples/$program"; status=1; }
    [ -f "$examples/$program" ] || { echo "$guide: there is no examples/$program"; status=1; }
    if [ "$test" = tests/test_examples.sh ]; then
      grep -qxF "$program" "$scratch/compared" || { echo "$guide: the first comment of examples/$program does not say what it prints"; status=1; }
    else
      stem=${program%.*}
      case $stem in */*) stem=${stem%/*} ;; esac
      grep -qF "$stem" "$srcdir/$test" || { echo "$guide: $test does not run $program"; status=1; }
    fi
  done <"$scratch/rows"
  return $status
}
claim "each guide has a program whose output is compared, or says why it has none" covered "$examples/README.org" "$srcdir/doc/guides"
# planted SED TEXT: with that change of the table, what is wrong is said
planted() {
  sed -E "$1" "$examples/README.org" >"$scratch/README.org"
  ! cmp -s "$examples/README.org" "$scratch/README.org" || { echo "nothing was changed"; return 1; }
  refused 1 "$2" covered "$scratch/README.org" "$srcdir/doc/guides"
}
claim "a guide without a row is found" planted '/guides\/memory[.]org\]\[memory\]/d' "the guide memory has no row"
new_guide() {
  mkdir "$scratch/guides" && cp "$srcdir"/doc/guides/*.org "$scratch/guides" && : >"$scratch/guides/more.org" &&
    refused 1 "the guide more has no row" covered "$examples/README.org" "$scratch/guides"
}
claim "so is a new one" new_guide
claim "so is a program that is not there" planted 's/ heat_steps[.]c  / cold_steps.c  /' "memory: there is no examples/cold_steps.c"
claim "so is one that no test runs" planted 's/(\| vector_swap[.]c .*)test_vector_swap/\1test_port/' "library: tests/test_port.sh does not run vector_swap.c"
claim "so is one that does not say what it prints" planted 's/ heat_steps[.]c  / custom_backend.c/' "memory: the first comment of examples/custom_backend.c"
unlinked() {
  cp "$srcdir/doc/guides/memory.org" "$scratch/guides/memory.org" && rm "$scratch/guides/more.org" && covered "$examples/README.org" "$scratch/guides" || return
  chmod u+w "$scratch/guides/memory.org" && sed -i '/heat_steps[.]c/d' "$scratch/guides/memory.org"
  refused 1 "the guide memory does not link to examples/heat_steps.c" covered "$examples/README.org" "$scratch/guides"
}
claim "so is a program that its guide does not link to" unlinked
claim "so is a guide with none, and without a reason" planted 's/\| none( *)\| Packages .*/| none\1| - |/' "packaging: a guide without a program"
finish
