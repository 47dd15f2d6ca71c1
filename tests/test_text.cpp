// Tangled from org/tests/text_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

std::string shown(std::string_view text) {
  std::string result;
  show(text, [&](std::string_view piece) { result += piece; });
  return result;
}

std::string as_json(std::string_view text) {
  std::string result;
  show_as_json(text, [&](std::string_view piece) { result += piece; });
  return result;
}

void letters_of_all_scripts_stay(void**) {
  for (const char* text : {"", "density", "élan vital", "密度", "\xF0\x9F\x90\x84", "=1+2"}) {
    assert_string_equal(shown(text).c_str(), text);
    assert_string_equal(as_json(text).c_str(), text);
  }
}

void what_a_terminal_acts_upon_is_escaped(void**) {
  assert_string_equal(shown("\x1b]0;title\x07").c_str(), "\\x1b]0;title\\x07");
  assert_string_equal(shown("a\nb\tc\x7f").c_str(), "a\\x0ab\\x09c\\x7f");
  assert_string_equal(shown("\xC2\x9B[2J").c_str(), "\\u009b[2J");
  assert_string_equal(shown("\u202Egnp.exe").c_str(), "\\u202egnp.exe");
  assert_string_equal(shown("one\u2028two").c_str(), "one\\u2028two");
  for (unsigned c = 0; c < 0x20; ++c) {
    const char byte = static_cast<char>(c);
    assert_int_equal(shown({&byte, 1}).size(), 4);
  }
}

void what_is_shown_can_be_read_back(void**) { assert_string_equal(shown("\\x1b").c_str(), "\\\\x1b"); }

void bytes_that_are_no_utf8_are_escaped_one_by_one(void**) {
  assert_string_equal(shown("\x80").c_str(), "\\x80");
  assert_string_equal(shown("\xC0\xAF").c_str(), "\\xc0\\xaf");           // overlong
  assert_string_equal(shown("\xED\xA0\x80").c_str(), "\\xed\\xa0\\x80");  // a surrogate
  assert_string_equal(shown("\xF4\x90\x80\x80").c_str(), "\\xf4\\x90\\x80\\x80");
  assert_string_equal(shown("\xE5\xAF").c_str(), "\\xe5\\xaf");  // cut
  assert_string_equal(as_json("a\xE5\xAF").c_str(), "a\\ufffd\\ufffd");
}

void json_escapes_what_it_must(void**) { assert_string_equal(as_json("\"\\\n\x01\x7f").c_str(), "\\\"\\\\\\u000a\\u0001\\u007f"); }

void bytes_take_a_suffix_and_nothing_else(void**) {
  assert_true(parse_bytes("0") == 0u);
  assert_true(parse_bytes("4096") == 4096u);
  assert_true(parse_bytes("3K") == 3u << 10);
  assert_true(parse_bytes("2G") == std::size_t{2} << 30);
  assert_true(parse_bytes("18446744073709551615") == SIZE_MAX);
  for (const char* wrong : {"", "K", "-1", "+1", " 1", "1 ", "1KB", "1k", "0x10", "1.5G", "99999999999999999999", "16777216T"}) {
    assert_false(parse_bytes(wrong).has_value());
  }
}

void a_number_is_taken_or_nothing_is(void**) {
  std::string_view text = "12 x";
  assert_true(take_number(text) == 12u && text == " x");
  for (const std::string_view wrong : {" 1", "-1", "+1", "x", "18446744073709551616", ""}) {
    std::string_view rest = wrong;
    assert_true(!take_number(rest) && rest == wrong);
  }
  assert_true(take_number<int>(text = "-7-8") == -7 && text == "-8");
  assert_true(parse_number("18446744073709551615") == UINT64_MAX && parse_number<std::int64_t>("-9223372036854775808") == INT64_MIN);
  for (const char* wrong : {"", " 1", "1 ", "1x", "0x1", "1.0", "18446744073709551616"}) assert_false(parse_number(wrong).has_value());
  assert_true(parse_number<std::uint8_t>("255") == 255 && !parse_number<std::uint8_t>("256") && !parse_number<std::uint8_t>("-1"));
}

void bytes_have_three_digits(void**) {
  assert_string_equal(bytes_text(0).characters, "0 B");
  assert_string_equal(bytes_text(999).characters, "999 B");
  assert_string_equal(bytes_text(1000).characters, "0.98 KiB");
  assert_string_equal(bytes_text(10239).characters, "10.0 KiB");
  assert_string_equal(bytes_text(102400).characters, "100 KiB");
  assert_string_equal(bytes_text((1u << 20) - 1).characters, "1.00 MiB");
  assert_string_equal(bytes_text(UINT64_MAX).characters, "16.0 EiB");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(bytes_have_three_digits),        cmocka_unit_test(bytes_take_a_suffix_and_nothing_else),
      cmocka_unit_test(letters_of_all_scripts_stay),    cmocka_unit_test(what_a_terminal_acts_upon_is_escaped),
      cmocka_unit_test(what_is_shown_can_be_read_back), cmocka_unit_test(bytes_that_are_no_utf8_are_escaped_one_by_one),
      cmocka_unit_test(json_escapes_what_it_must),      cmocka_unit_test(a_number_is_taken_or_nothing_is),
  };
  return cmocka_run_group_tests_name("text", tests, nullptr, nullptr);
}
