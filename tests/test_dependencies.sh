#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What tools/install-dependencies and tools/check do on a machine that is not this one, in a checkout that is not this one.
. "$(dirname "$0")/tap.sh"

command -v bash >/dev/null || skip_all "bash is not installed"
[ -x "$srcdir/tools/check" ] || skip_all "there is no tools/check"
checkout=$scratch/checkout
mkdir -p "$checkout" "$scratch/bin"
cp -r "$srcdir/tools" "$checkout"

# stand_in NAME SCRIPT: a program of that name for what runs below
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
on_that_machine() { env PATH="$scratch/bin:$PATH" "$@"; }
stand_in sudo 'exec "$@"'
stand_in apt-get 'echo "apt-get $*" >>"'"$scratch"'/asked"'
stand_in apt-cache 'case $2 in
  libcli11-dev) ;;
  fypp) printf "%s:\n  Installed: (none)\n  Candidate: (none)\n" "$2" ;;
  *) printf "%s:\n  Installed: (none)\n  Candidate: 1.0\n" "$2" ;;
esac
# It may have more to say when the reader has seen enough.
[ "$2" != zlib1g-dev ] || { sleep 0.2; echo "  Version table:"; }'

stand_in dpkg 'echo amd64'
stand_in dpkg-query 'exit 1'
claim "packages that a release lacks are named before anything is installed, with the releases that have them" \
  refused 1 "has no package libcli11-dev fypp; Debian 12 and 13 and Ubuntu 22.04 and later have all of them" \
  on_that_machine "$checkout/tools/install-dependencies" check
nothing_installed() { ! grep "apt-get install" "$scratch/asked"; }
claim "nothing was installed" nothing_installed
stand_in dpkg-query 'echo arm64 installed'
claim "what is there for another architecture is no more there than what is not" \
  refused 1 "has no package libcli11-dev fypp" on_that_machine "$checkout/tools/install-dependencies" check
stand_in dpkg-query 'case $3 in fypp) echo all installed ;; *) echo amd64 installed; sleep 0.01; echo arm64 installed ;; esac'
claim "where all is there, nothing is asked" \
  refused 0 "all packages that are needed are installed" on_that_machine "$checkout/tools/install-dependencies" check

cat >"$checkout/configure" <<'END'
#!/bin/sh
echo "$*" >configured
printf 'all:\n\ncheck:\n\t@echo "# PASS: 1"\n' >Makefile
END
chmod +x "$checkout/configure"
mkdir "$checkout/m4"
touch -t 200001010000 "$checkout/configure.ac" "$checkout/Makefile.am" "$checkout/Makefile.in" "$checkout/m4/cadastre.m4"
checked() { (unset MAKEFLAGS MFLAGS MAKELEVEL; on_that_machine env "$@" "$checkout/tools/check"); }
wants_no_warnings() { checked "$@" && grep -e --enable-werror "$checkout/build/check/configured"; }
minds_no_warnings() { checked "$@" && ! grep -e --enable-werror "$checkout/build/check/configured"; }
claim "warnings of a user's compiler are no errors" minds_no_warnings -u CI
claim "those of the compilers that CI knows are" wants_no_warnings CI=true
finish
