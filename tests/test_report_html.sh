#!/bin/sh
# Tangled from org/tests/report_page_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The page of cadastre report --format html, in a browser.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

CADASTRE=${CADASTRE:-./cadastre}
trace=$srcdir/traces/test_qmckl_memory.trace.gz
"$CADASTRE" report --format html "$trace" >"$scratch/page.html" 2>"$scratch/why" || {
  claim "a build without dygraphs says what to install" grep -q "cannot write html: .*libjs-dygraphs" "$scratch/why"
  finish
  exit 0
}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip_all "there is no Chromium"
command -v python3 >/dev/null || skip_all "there is no python3"
cp "$srcdir/tests/browser.py" "$srcdir/tests/report_page.py" "$scratch"
PYTHONDONTWRITEBYTECODE=1 python3 "$scratch/report_page.py" "$CADASTRE" "$browser" "$srcdir/traces" "$scratch"
