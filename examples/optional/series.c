/* Tangled from org/examples/optional_series.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* No #ifdef: what is not there without Cadastre is refused, as it is with Cadastre where there is no device.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include "series.h"

#include "cadastre_optional.h"

struct series {
  cadastre_context context;
  double* numbers;
  size_t count;
  size_t room;
  cadastre_error_struct error;
};

static void* allocate(cadastre_context context, size_t size, cadastre_memory_type type, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.label = label;
  return cadastre_malloc(context, info);
}

/* Everything, the series itself included, belongs to its context and is freed with it. */
series* series_create(void) {
  const cadastre_context context = cadastre_context_create();
  series* const s = (series*)allocate(context, sizeof(series), CADASTRE_HOST, "series");
  if (!s) {
    cadastre_context_destroy(context);
    return NULL;
  }
  s->context = context;
  s->error = cadastre_error_struct_zero;
  s->numbers = (double*)allocate(context, 0, CADASTRE_HOST, "numbers");
  if (s->numbers) return s;
  cadastre_context_destroy(context);
  return NULL;
}

void series_destroy(series* s) { cadastre_context_destroy(s->context); }

int series_reserve(series* s, size_t count) {
  const size_t size = count < (size_t)-1 / sizeof(double) ? count * sizeof(double) : (size_t)-1;
  double* const numbers = (double*)cadastre_realloc(s->context, s->numbers, size);
  if (!numbers) return 1;
  s->numbers = numbers;
  s->room = count;
  if (s->count > count) s->count = count;
  return 0;
}

int series_append(series* s, double number) {
  if (s->count == s->room && series_reserve(s, 2 * s->room + 1) != 0) return 1;
  s->numbers[s->count++] = number;
  return 0;
}

int series_smooth(series* s) {
  const size_t n = s->count, size = n * sizeof(double);
  void* scratch = NULL;
  double* old;
  cadastre_lease lease;
  cadastre_exit_code code =
      cadastre_workspace_acquire_on_queue(s->context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease);
  if (code != CADASTRE_SUCCESS) return code;
  code = cadastre_memcpy(s->context, scratch, s->numbers, size);
  old = (double*)scratch;
  for (size_t i = 1; code == CADASTRE_SUCCESS && i + 1 < n; ++i) {
    s->numbers[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
  }
  return code != CADASTRE_SUCCESS ? code : cadastre_workspace_release(s->context, lease);
}

int series_report(series* s, FILE* stream) { return cadastre_report(s->context, stream, CADASTRE_REPORT_TEXT); }

size_t series_count(const series* s) { return s->count; }

double series_at(const series* s, size_t i) { return s->numbers[i]; }

const char* series_message(series* s) {
  cadastre_last_error(s->context, &s->error);
  return s->error.message;
}

void* series_device_copy(series* s) {
  const size_t size = s->count * sizeof(double);
  void* const copy = allocate(s->context, size, CADASTRE_DEVICE, "numbers on the device");
  if (copy && cadastre_memcpy(s->context, copy, s->numbers, size) == CADASTRE_SUCCESS) return copy;
  if (copy) cadastre_free(s->context, copy);
  return NULL;
}
