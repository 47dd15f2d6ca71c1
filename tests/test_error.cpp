// Tangled from org/tests/error_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/vocabulary.hpp"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

cadastre_error_struct told(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(context, error);
  return error;
}

void a_thread_that_never_failed_is_told_success(void**) {
  const cadastre_error_struct error = told(4711);
  assert_int_equal(error.exit_code, CADASTRE_SUCCESS);
  assert_string_equal(error.message, "");
  assert_string_equal(error.function, "");
}

void a_sentence_holds_the_numbers_of_the_failure(void**) {
  fail(7, "cadastre_malloc",
       {.exit_code = CADASTRE_LIMIT_EXCEEDED,
        .reason = CADASTRE_REASON_LIMIT_EXCEEDED,
        .type = CADASTRE_PINNED,
        .requested = 300,
        .in_use = 800,
        .limit = 1000});
  const cadastre_error_struct error = told(7);
  assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_string_equal(error.function, "cadastre_malloc");
  assert_string_equal(error.message,
                      "cadastre_malloc: cannot allocate 300 bytes of PINNED while 800 other bytes are in use or being allocated: the limit "
                      "of this context is 1000 bytes; free memory, or raise the limit with cadastre_set_limit");
}

void every_name_in_every_sentence_is_known(void**) {
  for (cadastre_reason reason = 0; reason <= CADASTRE_REASON_BUILT_WITHOUT_CADASTRE; ++reason) {
    fail(7, "f", {.exit_code = CADASTRE_FAILURE, .reason = reason, .label = "density", .detail = "so"});
    const cadastre_error_struct error = told(7);
    assert_int_equal(error.reason, reason);
    assert_null(std::strchr(error.message, '{'));
    assert_true(std::strncmp(error.message, "f: ", 3) == 0);
    assert_true(reason == CADASTRE_REASON_NONE || std::strstr(error.message, "; "));
  }
}

void an_exit_code_for_an_argument_tells_its_number(void**) {
  fail(7, "f", {.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_NULL_ARGUMENT});
  assert_int_equal(told(7).argument, 3);
  assert_string_equal(told(7).message, "f: argument 3 is NULL; pass a valid address");
}

void the_failure_of_one_context_leaves_that_of_another(void**) {
  fail(1, "f", {.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_BORROWED});
  fail(2, "g", {.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_NOT_LOCKED});
  fail(2, "h", {.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_INVALID_ALIGNMENT});
  assert_int_equal(told(1).reason, CADASTRE_REASON_BORROWED);
  assert_int_equal(told(2).reason, CADASTRE_REASON_INVALID_ALIGNMENT);
  assert_string_equal(told(2).function, "h");
}

void the_last_eight_contexts_are_remembered_also_when_one_fails_again(void**) {
  for (cadastre_context c = 101; c <= 108; ++c) {
    fail(c, "f", {.exit_code = CADASTRE_FAILURE, .requested = static_cast<std::size_t>(c)});
  }
  for (cadastre_context c = 101; c <= 108; ++c) assert_int_equal(told(c).requested, c);
  for (int again = 0; again < 20; ++again) fail(108, "f", {.exit_code = CADASTRE_FAILURE, .requested = 108});
  for (cadastre_context c = 101; c <= 108; ++c) assert_int_equal(told(c).requested, c);
  for (cadastre_context c = 201; c <= 209; ++c) fail(c, "f", {.exit_code = CADASTRE_FAILURE});
  assert_int_equal(told(108).exit_code, CADASTRE_SUCCESS);
}

void a_failure_that_is_explained_better_takes_one_entry(void**) {
  for (cadastre_context c = 301; c <= 308; ++c) {
    fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_BORROWED});
    fail(c, "f", {.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_MISALIGNED});
  }
  for (cadastre_context c = 301; c <= 308; ++c) assert_int_equal(told(c).reason, CADASTRE_REASON_MISALIGNED);
}

void a_failure_belongs_to_the_thread_that_failed(void**) {
  fail(1, "f", {.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_BORROWED});
  bool other_thread_saw_nothing = false;
  std::thread([&] {
    other_thread_saw_nothing = told(1).exit_code == CADASTRE_SUCCESS;
    fail(1, "g", {.exit_code = CADASTRE_ERRNO, .reason = CADASTRE_REASON_WRITE_FAILED});
  }).join();
  assert_true(other_thread_saw_nothing);
  assert_int_equal(told(1).reason, CADASTRE_REASON_BORROWED);
}

void long_texts_are_cut_not_overrun(void**) {
  const std::string words(2000, 'w');
  fail(7, "f",
       {.exit_code = CADASTRE_ERRNO, .reason = CADASTRE_REASON_BACKEND_FREE_FAILED, .vendor = words.c_str(), .label = words.c_str()});
  const cadastre_error_struct error = told(7);
  assert_true(std::strlen(error.message) < sizeof error.message);
  assert_int_equal(std::strlen(error.vendor_message), sizeof error.vendor_message - 1);
}

void what_an_errno_means_is_told_in_english(void**) {
  assert_string_equal(text_of_errno(ENOSPC).characters, "No space left on device");
  assert_string_equal(text_of_errno(0).characters, "Success");
  assert_non_null(std::strstr(text_of_errno(98765).characters, "98765"));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(what_an_errno_means_is_told_in_english),
      cmocka_unit_test(a_thread_that_never_failed_is_told_success),
      cmocka_unit_test(a_sentence_holds_the_numbers_of_the_failure),
      cmocka_unit_test(every_name_in_every_sentence_is_known),
      cmocka_unit_test(an_exit_code_for_an_argument_tells_its_number),
      cmocka_unit_test(the_failure_of_one_context_leaves_that_of_another),
      cmocka_unit_test(the_last_eight_contexts_are_remembered_also_when_one_fails_again),
      cmocka_unit_test(a_failure_that_is_explained_better_takes_one_entry),
      cmocka_unit_test(a_failure_belongs_to_the_thread_that_failed),
      cmocka_unit_test(long_texts_are_cut_not_overrun),
  };
  return cmocka_run_group_tests_name("error", tests, nullptr, nullptr);
}
