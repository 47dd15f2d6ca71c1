# SPDX-License-Identifier: BSD-3-Clause
# What the first comment of an example says that the program prints: the lines behind "$ COMMAND" there. A test of examples sources this, after tap.sh.

# shown FILE: its first comment without what makes lines comments, and without the indentation that all of it has
shown() {
  case $1 in
    *.py) awk '/^"""/ { if (inside) exit; inside = 1; next } inside { sub(/^    /, ">"); print }' "$1" ;;
    *) awk 'sub(/^ \*   /, ">") || /^ \*/ { print; next } NR > 3 { exit }' "$1" ;;
  esac
}
# commands FILE: each that is shown with what it prints
commands() { shown "$1" | sed -n 's/^>\$ //p'; }
# expected FILE COMMAND: what it prints
expected() { shown "$1" | COMMAND=$2 awk '$0 == ">$ " ENVIRON["COMMAND"] { inside = 1; next } inside && !sub(/^>/, "") { exit } inside'; }

# Of the environment only what the program needs; a backend that a job names has another report.
alone() { env -u CADASTRE_EMULATED_DEVICES -u CADASTRE_LIMIT -u CADASTRE_REPORT -u CADASTRE_TRACE -u CADASTRE_FAIL -u CADASTRE_POOL CADASTRE_BACKEND=host "$@"; }

# prints FILE COMMAND WORD...: the words, run as that command, print what the file says of it
prints() {
  expected "$1" "$2" >"$scratch/expected"
  [ -s "$scratch/expected" ] || { echo "$1 does not say what it prints"; return 1; }
  shift 2
  "$@" >"$scratch/printed" 2>"$scratch/errors" || { echo "exit status $?"; cat "$scratch/printed" "$scratch/errors"; return 1; }
  diff -u "$scratch/expected" "$scratch/printed" || { cat "$scratch/errors"; return 1; }
}
