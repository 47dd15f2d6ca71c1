/* Tangled from org/tests/report_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static const char* at;     /* what is read next; NULL after something that is no JSON */
static char fields[16384]; /* ".process.id\n" */

static void want(char c) {
  if (at && *at == c) {
    ++at;
  } else {
    at = NULL;
  }
}

static void skip_blanks(void) {
  if (at) at += strspn(at, " \n\r\t");
}

static size_t utf8(const unsigned char* s) {
  if (s[0] < 0x80) return 1;
  const size_t length = s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] >= 0xE0 && s[0] < 0xF0 ? 3 : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((s[i] & 0xC0) != 0x80) return 0;
  }
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0)) return 0;
  if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90)) return 0;
  return length;
}

static void read_string(void) {
  want('"');
  while (at && *at != '"') {
    if ((unsigned char)*at < 0x20) {
      at = NULL;
    } else if (*at != '\\') {
      const size_t length = utf8((const unsigned char*)at);
      at = length == 0 ? NULL : at + length;
    } else if (at[1] == 'u') {
      at = strspn(at + 2, "0123456789abcdefABCDEF") >= 4 ? at + 6 : NULL;
    } else {
      at = at[1] && strchr("\"\\/bfnrt", at[1]) ? at + 2 : NULL;
    }
  }
  want('"');
}

static void note(const char* path) {
  char line[512];
  snprintf(line, sizeof line, "%s\n", path);
  const char* const found = strstr(fields, line);
  if (found && (found == fields || found[-1] == '\n')) return;
  strncat(fields, line, sizeof fields - strlen(fields) - 1);
}

static void read_value(const char* path);

static void read_members(const char* path, int named, char end) {
  ++at;
  skip_blanks();
  if (at && *at == end) {
    ++at;
    return;
  }
  while (at) {
    char member[256];
    skip_blanks();
    if (named) {
      const char* const name = at;
      read_string();
      if (!at) return;
      snprintf(member, sizeof member, "%s.%.*s", path, (int)(at - name - 2), name + 1);
      note(member);
      skip_blanks();
      want(':');
    }
    read_value(named ? member : path);
    skip_blanks();
    if (at && *at == ',') {
      ++at;
    } else {
      want(end);
      return;
    }
  }
}

static void read_value(const char* path) {
  skip_blanks();
  if (!at) return;
  if (*at == '{') {
    read_members(path, 1, '}');
    return;
  }
  if (*at == '[') {
    read_members(path, 0, ']');
    return;
  }
  if (*at == '"') {
    read_string();
    return;
  }
  for (size_t i = 0; i < 3; ++i) {
    const char* const word = (const char*[]){"null", "true", "false"}[i];
    if (strncmp(at, word, strlen(word)) == 0) {
      at += strlen(word);
      return;
    }
  }
  const size_t sign = *at == '-';
  const size_t digits = strspn(at + sign, "0123456789");
  at = digits == 0 || (digits > 1 && at[sign] == '0') ? NULL : at + sign + digits;
}

static void assert_json(const char* text) {
  at = text;
  fields[0] = '\0';
  read_value("");
  skip_blanks();
  assert_non_null(at);
  assert_int_equal(*at, '\0');
}

static void the_text_shows_figures_labels_and_the_largest_blocks(void** state) {
  (void)state;
  const cadastre_context context = filled();
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(context, &options), CADASTRE_SUCCESS);
  char backend[80];
  snprintf(backend, sizeof backend, "%s backend", cadastre_string_of_backend(options.backend));
  assert_non_null(strstr(text, backend));
  assert_non_null(strstr(text, "HOST             30      465 KiB      465 KiB      465 KiB"));
  assert_non_null(strstr(text, "1.00 GiB\n"));
  assert_non_null(strstr(text, "30.0 KiB          1 HOST      array 30\n"));
  assert_null(strstr(text, "\ntogether "));
  assert_non_null(strstr(text, "and 10 labels more\n"));
  assert_non_null(strstr(text, "and 20 blocks more\n"));
  assert_true(strstr(text, "array 30") < strstr(text, "array 29"));
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    assert_non_null(strstr(text, cadastre_string_of_memory_type(type)));
  }
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_limit_of_all_memory_types_is_shown(void** state) {
  (void)state;
  const cadastre_context context = filled();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_ALL_MEMORY_TYPES, (size_t)1 << 31), CADASTRE_SUCCESS);
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, "\ntogether 465 KiB live, limit 2.00 GiB\n"));
  free(text);
  char* const json = reported(context, CADASTRE_REPORT_JSON);
  assert_non_null(strstr(json, "\"limit_of_all_memory_types\": 2147483648"));
  free(json);
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
  assert_non_null(strstr(text, "\"failed_allocations\": 1"));
  assert_non_null(strstr(text, "\"label\": \"array 1\""));
  assert_non_null(strstr(text, "quote \\\" backslash \\\\ newline \\u000a euro \xe2\x82\xac not UTF-8 "
                               "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static int decimals(size_t bytes) { return bytes < (size_t)9.99 * 1048576 ? 2 : 1; }

static void what_is_cached_for_the_next_request_is_reported(void** state) {
  (void)state;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 3 * 1024 * 1024;
  void* const cached = cadastre_malloc(context, info);
  assert_non_null(cadastre_malloc(context, info));
  assert_int_equal(cadastre_free(context, cached), CADASTRE_SUCCESS);
  cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
  assert_int_equal(cadastre_pool_get_info(context, CADASTRE_HOST, &pool), CADASTRE_SUCCESS);
  char line[200];
  const size_t releasable = pool.reserved_bytes - pool.used_bytes;
  assert_true(releasable >= info.size);  // with what surrounds a block where its bounds are watched
  assert_int_equal(2 * releasable, pool.reserved_bytes);
  snprintf(line, sizeof line, "HOST     %8.*f MiB %8.*f MiB %8.*f MiB %8.*f MiB          0          2          0\n",
           decimals(pool.reserved_bytes), (double)pool.reserved_bytes / 1048576, decimals(pool.used_bytes),
           (double)pool.used_bytes / 1048576, decimals(releasable), (double)releasable / 1048576, decimals(pool.largest_free_bytes),
           (double)pool.largest_free_bytes / 1048576);
  char* text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, line));
  free(text);
  snprintf(line, sizeof line, "\"used_bytes\": %zu,\n      \"reserved_bytes\": %zu,\n", pool.used_bytes, pool.reserved_bytes);
  text = reported(context, CADASTRE_REPORT_JSON);
  assert_non_null(strstr(text, line));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void no_label_and_no_message_controls_a_terminal(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 100;
  info.label = "\x1b[2J\x07 and\r\nlines \xc2\x9b"
               "31m \xe2\x80\xae reversed \xff";
  char* const block = cadastre_malloc(context, info);
  assert_non_null(block);
  assert_int_equal(cadastre_free(context, block + 1), CADASTRE_INVALID_ARG_2);
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  for (const char* c = text; *c; ++c) assert_true((unsigned char)*c >= 0x20 || *c == '\n');
  for (const char* c = error.message; *c; ++c) assert_true((unsigned char)*c >= 0x20);
  assert_non_null(strstr(text, "\\x1b[2J\\x07 and\\x0d\\x0alines \\u009b31m \\u202e reversed \\xff\n"));
  assert_null(strstr(text, "\xe2\x80\xae"));
  assert_non_null(strstr(error.message, "\\x1b[2J"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_report_says_whose_it_is(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  char host[256] = "", line[512];
  assert_int_equal(gethostname(host, sizeof host - 1), 0);
  char* text = reported(context, CADASTRE_REPORT_TEXT);
  snprintf(line, sizeof line, "\nprocess %lld of /", (long long)getpid());
  const char* const own = strstr(text, line);
  assert_non_null(own);
  assert_non_null(strstr(own, "test_report on "));
  snprintf(line, sizeof line, " on %s, rank 5, 2", host);
  assert_non_null(strstr(own, line));
  assert_non_null(strstr(own, "Z, "));
  assert_non_null(strstr(text, "memory of this context; high-water is the maximum"));
  free(text);
  text = reported(context, CADASTRE_REPORT_JSON);
  snprintf(line, sizeof line, "\"id\": %lld,", (long long)getpid());
  assert_non_null(strstr(text, line));
  snprintf(line, sizeof line, "\"host\": \"%s\"", host);
  assert_non_null(strstr(text, line));
  assert_non_null(strstr(text, "\"rank\": \"5\""));
  assert_non_null(strstr(text, "\"schema_version\": 1,"));
  snprintf(line, sizeof line, "\"context\": \"%lld\"", (long long)context);
  assert_non_null(strstr(text, line));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void unlabelled_memory_has_its_share_and_types_stay_apart(void** state) {
  (void)state;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 2048;
  assert_non_null(cadastre_malloc(context, info));
  assert_non_null(cadastre_malloc(context, info));
  info.size = 1024;
  info.label = "both";
  assert_non_null(cadastre_malloc(context, info));
  info.size = 512;
  info.type = CADASTRE_PINNED;
  assert_non_null(cadastre_malloc(context, info));
  char* text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, "4.00 KiB          2 HOST      (no label)\n"));
  assert_non_null(strstr(text, "1.00 KiB          1 HOST      both\n"));
  assert_non_null(strstr(text, "512 B          1 PINNED    both\n"));
  free(text);
  text = reported(context, CADASTRE_REPORT_JSON);
  assert_json(text);
  assert_non_null(strstr(text, "\"label\": null,\n      \"type\": \"HOST\",\n      \"live_blocks\": 2,\n      \"live_bytes\": 4096\n"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void* ask(cadastre_context context, cadastre_memory_type type, size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = type;
  info.size = size;
  info.label = label;
  return cadastre_malloc(context, info);
}

static void a_refused_allocation_appears_with_the_labels_that_held_the_rest(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 10240), CADASTRE_SUCCESS);
  for (int i = 0; i < 3; ++i) assert_non_null(ask(context, CADASTRE_HOST, 1024, "orbitals"));
  assert_non_null(ask(context, CADASTRE_HOST, 5120, "integrals"));
  assert_non_null(ask(context, CADASTRE_HOST, 512, NULL));
  assert_non_null(ask(context, CADASTRE_HOST, 16, "small"));
  assert_null(ask(context, CADASTRE_HOST, 4096, "one too many"));
  char* text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, "         1  cadastre_malloc of 4096 bytes of HOST for one too many, 2"));
  assert_non_null(strstr(text, "cannot allocate 4096 bytes of HOST while 8720 other bytes are in use"));
  assert_non_null(strstr(text, "held then: 5.00 KiB in 1 block by integrals; 3.00 KiB in 3 blocks by orbitals; "
                               "512 B in 1 block by (no label)\n"));
  free(text);
  text = reported(context, CADASTRE_REPORT_JSON);
  assert_json(text);
  assert_non_null(strstr(text, "\"reason\": \"LIMIT_EXCEEDED\""));
  assert_non_null(strstr(text, "\"bytes\": 4096,\n      \"in_use\": 8720,\n      \"limit\": 10240,\n      \"label\": \"one too many\""));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void failures_of_one_kind_are_one_entry(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 100), CADASTRE_SUCCESS);
  for (size_t i = 1; i <= 5; ++i) assert_null(ask(context, CADASTRE_HOST, 1000 * i, "again"));
  void* block = ask(context, CADASTRE_HOST, 10, NULL);
  assert_null(cadastre_realloc(context, block, 7000));
  assert_int_equal(cadastre_free(context, &block), CADASTRE_INVALID_ARG_2);
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, "         5  cadastre_malloc of 5000 bytes of HOST for again, 2"));
  assert_non_null(strstr(text, "         1  cadastre_realloc of 7000 bytes of HOST, 2"));
  const char* const last = strstr(text, "         1  cadastre_free, 2");
  assert_non_null(last);
  assert_true(last < strstr(text, "cadastre_realloc"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_look_up_that_finds_nothing_is_no_failure(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info;
  size_t offset;
  assert_int_equal(cadastre_get_malloc_info(context, &info, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_find_block(context, &info, &info, &offset), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_get_allocated_size(context, &info, &offset), CADASTRE_INVALID_ARG_2);
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_null(strstr(text, "failure of each kind"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void failures_of_many_kinds_make_room_for_each_other(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 100), CADASTRE_SUCCESS);
  assert_null(ask(context, CADASTRE_HOST, 1000, "kind 0"));
  for (int kind = 0; kind < 11; ++kind) {
    char label[16];
    snprintf(label, sizeof label, "kind %d", kind);
    assert_null(ask(context, CADASTRE_HOST, 1000, label));
  }
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_null(strstr(text, "for kind 2,"));
  assert_non_null(strstr(text, "for kind 3,"));
  assert_non_null(strstr(text, "for kind 10,"));
  assert_non_null(strstr(text, "and 4 failures of older kinds\n"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void the_labels_that_hold_the_most_are_counted_by_memory_type(void** state) {
  (void)state;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_PINNED, 4096), CADASTRE_SUCCESS);
  assert_non_null(ask(context, CADASTRE_HOST, 100000, "on the host"));
  assert_non_null(ask(context, CADASTRE_PINNED, 2048, "staging"));
  assert_null(ask(context, CADASTRE_PINNED, 4096, NULL));
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_non_null(strstr(text, "held then: 2.00 KiB in 1 block by staging\n"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One look at each of 20,000 blocks takes about 100 microseconds: 2,000 would take a fifth of a second. */
static void being_refused_over_and_over_costs_no_look_at_each_block_each_time(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  for (int i = 0; i < 20000; ++i) assert_non_null(ask(context, CADASTRE_HOST, 16, "many"));
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 20000 * 16), CADASTRE_SUCCESS);
  double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  assert_null(ask(context, CADASTRE_HOST, 16, "first"));
  const double counted = seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < 2000; ++i) assert_null(ask(context, CADASTRE_HOST, 16, "first"));
  assert_true(seconds(CLOCK_THREAD_CPUTIME_ID) - begin < 1000 * counted);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static const char* const documented[] = {".cadastre",
                                         ".schema_version",
                                         ".time",
                                         ".process",
                                         ".process.id",
                                         ".process.program",
                                         ".process.started",
                                         ".process.host",
                                         ".process.rank",
                                         ".process.peak_rss_bytes",
                                         ".context",
                                         ".backend",
                                         ".device_id",
                                         ".environment_problems",
                                         ".environment_resolved",
                                         ".memory_usage",
                                         ".memory_usage.backend",
                                         ".memory_usage.device_id",
                                         ".memory_usage.total_bytes",
                                         ".memory_usage.used_bytes",
                                         ".memory_usage.tracked_bytes",
                                         ".memory_usage.uvm_bytes",
                                         ".memory_usage.untracked_bytes",
                                         ".memory_types",
                                         ".memory_types.HOST",
                                         ".memory_types.HOST.live_blocks",
                                         ".memory_types.HOST.live_bytes",
                                         ".memory_types.HOST.high_water_mark_bytes",
                                         ".memory_types.HOST.high_water_mark_blocks",
                                         ".memory_types.HOST.total_bytes",
                                         ".memory_types.HOST.zeroed_bytes",
                                         ".memory_types.HOST.allocations",
                                         ".memory_types.HOST.deallocations",
                                         ".memory_types.HOST.reallocations",
                                         ".memory_types.HOST.failed_allocations",
                                         ".memory_types.HOST.failed_deallocations",
                                         ".memory_types.HOST.untracked_deallocations",
                                         ".memory_types.HOST.borrowed_blocks",
                                         ".memory_types.HOST.limit",
                                         ".memory_types.HOST.devices",
                                         ".memory_types.PINNED",
                                         ".memory_types.DEVICE",
                                         ".memory_types.UVM",
                                         ".limit_of_all_memory_types",
                                         ".labels",
                                         ".labels.label",
                                         ".labels.type",
                                         ".labels.live_blocks",
                                         ".labels.live_bytes",
                                         ".at_peak",
                                         ".contexts",
                                         ".pools",
                                         ".workspaces",
                                         ".leases",
                                         ".plain_frees",
                                         ".blocks",
                                         ".largest_blocks",
                                         ".largest_blocks.number",
                                         ".largest_blocks.pointer",
                                         ".largest_blocks.size",
                                         ".largest_blocks.type",
                                         ".largest_blocks.device_id",
                                         ".largest_blocks.backend",
                                         ".largest_blocks.alignment",
                                         ".largest_blocks.stride",
                                         ".largest_blocks.borrowed",
                                         ".largest_blocks.label",
                                         ".last_failures",
                                         ".last_failures.function",
                                         ".last_failures.exit_code",
                                         ".last_failures.description",
                                         ".last_failures.reason",
                                         ".last_failures.message",
                                         ".last_failures.type",
                                         ".last_failures.device_id",
                                         ".last_failures.bytes",
                                         ".last_failures.in_use",
                                         ".last_failures.limit",
                                         ".last_failures.label",
                                         ".last_failures.count",
                                         ".last_failures.first",
                                         ".last_failures.last",
                                         ".last_failures.held",
                                         ".last_failures.held.label",
                                         ".last_failures.held.live_blocks",
                                         ".last_failures.held.live_bytes",
                                         ".failures_forgotten",
                                         ".failed_creations",
                                         ".failed_creations_forgotten"};

static void the_fields_are_those_that_are_documented(void** state) {
  (void)state;
  const cadastre_context context = filled();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 1), CADASTRE_SUCCESS);
  assert_null(ask(context, CADASTRE_HOST, 16, "refused"));
  char* const text = reported(context, CADASTRE_REPORT_JSON);
  assert_json(text);
  size_t top = 0, documented_top = 0;
  for (size_t i = 0; i < sizeof documented / sizeof documented[0]; ++i) {
    char line[128];
    snprintf(line, sizeof line, "%s\n", documented[i]);
    const char* found = strstr(fields, line);
    while (found && found != fields && found[-1] != '\n') found = strstr(found + 1, line);
    if (!found) print_message("there is no field %s\n", documented[i]);
    assert_non_null(found);
    documented_top += strchr(documented[i] + 1, '.') == NULL;
  }
  for (char* line = strtok(fields, "\n"); line; line = strtok(NULL, "\n")) top += strchr(line + 1, '.') == NULL;
  assert_int_equal(top, documented_top);
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// In a process whose environment asks to keep who holds its memory. What lives is looked at by calls, for a part of the time.
static int report_after_a_peak(void) {
  const cadastre_context context = cadastre_context_create();
  void* stays = ask(context, CADASTRE_HOST, 100000, "stays");
  void* passing = ask(context, CADASTRE_HOST, 900000, NULL);
  int is_known = 0;
  for (int i = 0; i < 500 && !is_known; ++i) {
    const struct timespec time = {0, 20 * 1000 * 1000};
    nanosleep(&time, NULL);
    void* nothing = ask(context, CADASTRE_HOST, 0, "nothing");  // as many bytes live, whichever call looks
    if (cadastre_free(context, nothing) != CADASTRE_SUCCESS) return 2;
    char* const text = reported(CADASTRE_PROCESS, CADASTRE_REPORT_JSON);
    is_known = strstr(text, "\"live_bytes\": 1000000,\n    \"labels\"") != NULL;
    free(text);
  }
  if (!stays || cadastre_free(context, passing) != CADASTRE_SUCCESS) return 2;
  char* const of_process = reported(CADASTRE_PROCESS, CADASTRE_REPORT_JSON);
  char* const of_context = reported(context, CADASTRE_REPORT_JSON);
  char* const peak = strstr(of_process, "\"at_peak\": {\n    \"time\": \"20");
  assert_json(of_process);
  const int is_there = peak &&
                       strstr(peak, "\"live_bytes\": 1000000,\n    \"labels\": [\n      {\n        \"label\": null,\n        "
                                    "\"type\": \"HOST\",\n        \"live_blocks\": 1,\n        \"live_bytes\": 900000") &&
                       strstr(peak, "\"label\": \"stays\"") && strstr(peak, "\"other_labels\": 0");
  if (!is_there) print_message("%s\n", of_process);
  const int is_of_process = strstr(of_context, "\"at_peak\": null") != NULL;
  free(of_process);
  free(of_context);
  return is_there && is_of_process ? 0 : 1;
}

static void who_held_the_peak_is_in_the_report_of_the_process(void** state) {
  (void)state;
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_REPORT_ON", "USR1", 1);
    // Under valgrind the link itself is valgrind; what it says is the program.
    char self[4096] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) execl(self, "test_report", "after a peak", (char*)NULL);
    _exit(3);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  char* const text = reported(CADASTRE_PROCESS, CADASTRE_REPORT_JSON);
  assert_non_null(strstr(text, "\"at_peak\": null"));
  free(text);
}

static void ten_thousand_labels_of_any_bytes_are_valid_json(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  unsigned random = 1;
  for (int i = 0; i < 10000; ++i) {
    char label[256] = "";
    const size_t length = (size_t)i % 256;
    for (size_t c = 0; c < length; ++c) {
      random = random * 1664525u + 1013904223u;
      label[c] = (char)(1 + (random >> 16) % 255);
    }
    assert_non_null(ask(context, CADASTRE_HOST, 1, label));
  }
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 1), CADASTRE_SUCCESS);
  assert_null(ask(context, CADASTRE_HOST, 16, "\xc3\x28 \" \\ \x1b"));
  char* text = reported(context, CADASTRE_REPORT_JSON);
  assert_json(text);
  free(text);
  text = reported(context, CADASTRE_REPORT_TEXT);
  for (const char* c = text; *c; ++c) assert_true((unsigned char)*c >= 0x20 || *c == '\n');
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void an_empty_context_has_a_report_as_well(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  char* const text = reported(context, CADASTRE_REPORT_TEXT);
  assert_null(strstr(text, "label"));
  assert_null(strstr(text, "releasable"));
  assert_null(strstr(text, "failure of each kind"));
  free(text);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_stream_that_refuses_is_a_failure_with_its_errno(void** state) {
  (void)state;
  const cadastre_context context = filled();
  FILE* const full = fopen("/dev/full", "w");
  assert_non_null(full);
  cadastre_error_struct error = cadastre_error_struct_zero;
  for (cadastre_report_format format = 0; format <= CADASTRE_REPORT_JSON; ++format) {
    assert_int_equal(cadastre_report(context, full, format), CADASTRE_ERRNO);
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.reason, CADASTRE_REASON_WRITE_FAILED);
    assert_true(error.vendor_code != 0);
    assert_int_equal(cadastre_report(context, full, format), CADASTRE_ERRNO);
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_non_null(strstr(error.message, "clearerr"));
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
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  assert_non_null(strstr(error.message, "CADASTRE_REPORT_TEXT (0), CADASTRE_REPORT_JSON (1)"));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

int main(int count, char** words) {
  (void)words;
  if (count > 1) return report_after_a_peak();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_text_shows_figures_labels_and_the_largest_blocks),
      cmocka_unit_test(a_limit_of_all_memory_types_is_shown),
      cmocka_unit_test(the_json_holds_every_label_and_exact_numbers),
      cmocka_unit_test(what_is_cached_for_the_next_request_is_reported),
      cmocka_unit_test(no_label_and_no_message_controls_a_terminal),
      cmocka_unit_test(a_report_says_whose_it_is),
      cmocka_unit_test(unlabelled_memory_has_its_share_and_types_stay_apart),
      cmocka_unit_test(a_refused_allocation_appears_with_the_labels_that_held_the_rest),
      cmocka_unit_test(failures_of_one_kind_are_one_entry),
      cmocka_unit_test(a_look_up_that_finds_nothing_is_no_failure),
      cmocka_unit_test(failures_of_many_kinds_make_room_for_each_other),
      cmocka_unit_test(the_labels_that_hold_the_most_are_counted_by_memory_type),
      cmocka_unit_test(being_refused_over_and_over_costs_no_look_at_each_block_each_time),
      cmocka_unit_test(the_fields_are_those_that_are_documented),
      cmocka_unit_test(who_held_the_peak_is_in_the_report_of_the_process),
      cmocka_unit_test(ten_thousand_labels_of_any_bytes_are_valid_json),
      cmocka_unit_test(an_empty_context_has_a_report_as_well),
      cmocka_unit_test(a_stream_that_refuses_is_a_failure_with_its_errno),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  setenv("OMPI_COMM_WORLD_RANK", "5", 1);
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
