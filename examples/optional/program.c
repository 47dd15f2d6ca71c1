/* Tangled from org/examples/optional_series.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the library. With an argument it also writes the report of the memory.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "series.h"

int main(int argc, char** argv) {
  series* const s = series_create();
  (void)argv;
  if (!s) return 1;
  for (int i = 0; i < 1000; ++i) {
    if (series_append(s, i % 10) != 0) return 1;
  }
  if (series_smooth(s) != 0) return 1;
  printf("%zu numbers: %g %g %g ... %g\n", series_count(s), series_at(s, 0), series_at(s, 1), series_at(s, 10), series_at(s, 999));
  printf("on a device: %s\n", series_device_copy(s) ? "yes" : "no");
  if (series_reserve(s, (size_t)-1) != 0) printf("%s\n", series_message(s));
  if (argc > 1 && series_report(s, stdout) != 0) printf("%s\n", series_message(s));
  series_destroy(s);
  return 0;
}
