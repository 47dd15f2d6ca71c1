#!/bin/sh
# Tangled from org/command/trace_report_html.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# Writes the parts of pages on traces as C++: embed.sh FOLDER [DYGRAPHS]
# FOLDER has the page, its scripts and its style; DYGRAPHS is the folder with dygraph.min.js, if there is one.
set -eu
LC_ALL=C
export LC_ALL
folder=$1 dygraphs=${2-}
parts=$(mktemp -d "${TMPDIR:-/tmp}/cadastre-page.XXXXXX")
trap 'rm -rf "$parts"' EXIT

# The map of a source is a file that a browser would ask for.
without_maps() { sed 's|//# sourceMappingURL=.*||; s|/\*# sourceMappingURL=[^*]*\*/||' "$1"; }

if [ -n "$dygraphs" ]; then
  without_maps "$dygraphs/dygraph.min.js" >"$parts/library"
  without_maps "$dygraphs/dygraph.min.css" >"$parts/style"
else
  : >"$parts/library"
  : >"$parts/style"
fi
cat "$folder/page.css" >>"$parts/style"
sed 1,2d "$folder/page.html" >"$parts/frame"
{
  echo '(function () {'
  echo '"use strict";'
  for name in numbers timeline rows tables figures chart page; do cat "$folder/$name.js"; done
  echo '})();'
} >"$parts/script"

# What would end an element.
for part in library script style; do
  if grep -qi '</script\|</style\|<!--' "$parts/$part"; then
    echo "embed.sh: the $part has </script, </style or <!--, with which it cannot be in a page" >&2
    exit 1
  fi
done

# The SHA-256 of a file in base64.
hash_of() {
  bytes=$(sha256sum <"$1" | awk '{
    for (i = 1; i < 64; i += 2) printf "\\%03o", (index(d, substr($1, i, 1)) - 1) * 16 + index(d, substr($1, i + 1, 1)) - 1
  }' d=0123456789abcdef)
  # shellcheck disable=SC2059  # the bytes are written as printf reads them
  printf "$bytes" | base64
}

echo '// Written by embed.sh when the command is built.'
echo '#include "page_parts.hpp"'
echo 'namespace cadastre::command {'
# By bytes: compilers need not take as long a string as the library is.
for part in frame library script style; do
  if [ -s "$parts/$part" ]; then
    echo "static const unsigned char bytes_of_$part[] = {"
    od -An -v -tu1 "$parts/$part" | sed 's/  *\([0-9][0-9]*\)/\1,/g'
    echo '};'
    echo "const std::string_view page_$part(reinterpret_cast<const char*>(bytes_of_$part), sizeof bytes_of_$part);"
  else
    echo "const std::string_view page_$part;"
  fi
done
for part in library script style; do
  echo "const std::string_view page_${part}_hash = \"'sha256-$(hash_of "$parts/$part")'\";"
done
echo '}  // namespace cadastre::command'
