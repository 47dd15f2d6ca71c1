/* Tangled from org/report.org; change the chapter, then run: make tangle */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cadastre.h"

static char* reported(cadastre_context context, cadastre_report_format format) {
  FILE* const stream = tmpfile();
  assert_non_null(stream);
  assert_int_equal(cadastre_report(context, stream, format), CADASTRE_SUCCESS);
  const long length = ftell(stream);
  assert_true(length > 0);
  char* const text = calloc(1, (size_t)length + 1);
  rewind(stream);
  assert_int_equal(fread(text, 1, (size_t)length, stream), length);
  fclose(stream);
  return text;
}

static cadastre_context filled(void) {
  const cadastre_context context = cadastre_context_create();
  for (size_t i = 1; i <= 30; ++i) {
    char label[32];
    snprintf(label, sizeof label, "array %zu", i);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = i * 1024;
    info.label = label;
    assert_non_null(cadastre_malloc(context, info));
  }
  cadastre_memory_info_struct refused = cadastre_memory_info_struct_zero;
  refused.size = SIZE_MAX;
  assert_null(cadastre_malloc(context, refused));
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, (size_t)1 << 30), CADASTRE_SUCCESS);
  return context;
}

static void the_text_tells_figures_labels_and_the_largest_blocks(void** state) {
  (void)state;
  const cadastre_context context = filled();
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  cadastre_context_options_struct options;
  assert_int_equal(cadastre_get_context_options(context, &options), CADASTRE_SUCCESS);
  char backend[80];
  snprintf(backend, sizeof backend, "%s backend", cadastre_string_of_backend(options.backend));
  assert_non_null(strstr(text, backend));
  assert_non_null(strstr(text, "HOST             30    465.0 KiB    465.0 KiB    465.0 KiB"));
  assert_non_null(strstr(text, "1.0 GiB\n"));
  assert_non_null(strstr(text, "30.0 KiB          1  array 30\n"));
  assert_non_null(strstr(text, "and 10 labels more\n"));
  assert_non_null(strstr(text, "and 20 blocks more\n"));
  assert_true(strstr(text, "array 30") < strstr(text, "array 29"));
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPES; ++type) {
    assert_non_null(strstr(text, cadastre_string_of_memory_type(type)));
  }
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void the_json_holds_every_label_and_exact_numbers(void** state) {
  (void)state;
  const cadastre_context context = filled();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.label = "quote \" backslash \\ newline \n euro \xe2\x82\xac not UTF-8 \xff\xc0\x80\xed\xa0\x80";
  assert_non_null(cadastre_malloc(context, info));
  char* const text = reported(context, CADASTRE_REPORT_JSON);
  assert_int_equal(text[0], '{');
  assert_non_null(strstr(text, "\"live_bytes\": 476160"));
  assert_non_null(strstr(text, "\"limit\": 1073741824"));
  assert_non_null(strstr(text, "\"failures\": 1"));
  assert_non_null(strstr(text, "\"label\": \"array 1\""));
  assert_non_null(strstr(text, "quote \\\" backslash \\\\ newline \\u000a euro \xe2\x82\xac not UTF-8 "
                        "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void what_is_kept_for_the_next_request_is_told(void** state) {
  (void)state;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context context = cadastre_context_create_with(&options);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 3 * 1024 * 1024;
  void* const kept = cadastre_malloc(context, info);
  assert_non_null(cadastre_malloc(context, info));
  assert_int_equal(cadastre_free(context, kept), CADASTRE_SUCCESS);
  cadastre_pool_info_struct pool;
  assert_int_equal(cadastre_get_pool_info(context, CADASTRE_HOST, &pool), CADASTRE_SUCCESS);
  char line[200];
  snprintf(line, sizeof line, "HOST     %8.1f MiB %8.1f MiB %12s %8.1f MiB          1          1          0\n",
           (double)pool.reserved / 1048576, (double)pool.used / 1048576, "0 B", (double)pool.largest_free / 1048576);
  char* text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, line));
  free(text);
  snprintf(line, sizeof line, "\"used\": %zu,\n      \"reserved\": %zu,\n", pool.used, pool.reserved);
  text = reported(context, CADASTRE_REPORT_JSON);
  assert_non_null(strstr(text, line));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void an_empty_context_has_a_report_as_well(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_null(strstr(text, "label"));
  assert_null(strstr(text, "releasable"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_stream_that_refuses_is_a_failure_with_its_errno(void** state) {
  (void)state;
  const cadastre_context context = filled();
  FILE* const full = fopen("/dev/full", "w");
  assert_non_null(full);
  cadastre_error_struct error;
  for (cadastre_report_format format = 0; format <= CADASTRE_REPORT_JSON; ++format) {
    assert_int_equal(cadastre_report(context, full, format), CADASTRE_ERRNO);
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.reason, CADASTRE_REASON_WRITE_FAILED);
    assert_true(error.vendor_code != 0);
    assert_int_equal(cadastre_report(context, full, format), CADASTRE_ERRNO);
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_non_null(strstr(error.sentence, "clearerr"));
    clearerr(full);
  }
  fclose(full);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void wrong_arguments_are_refused(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_report(context, NULL, CADASTRE_REPORT_TEXT), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_report(context, stdout, 7), CADASTRE_INVALID_ARG_3);
  cadastre_error_struct error;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  assert_non_null(strstr(error.sentence, "CADASTRE_REPORT_TEXT (0), CADASTRE_REPORT_JSON (1)"));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_text_tells_figures_labels_and_the_largest_blocks),
      cmocka_unit_test(the_json_holds_every_label_and_exact_numbers),
      cmocka_unit_test(what_is_kept_for_the_next_request_is_told),
      cmocka_unit_test(an_empty_context_has_a_report_as_well),
      cmocka_unit_test(a_stream_that_refuses_is_a_failure_with_its_errno),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
