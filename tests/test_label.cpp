// Tangled from org/label.org; change the chapter, then run: make tangle
#include <array>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cmocka.hpp"
#include "label.hpp"

using namespace cadastre::internal;

namespace {

void a_text_is_stored_once_and_found_by_contents_and_address(void**) {
  char walkers[] = "walkers";
  const OriginNumber number = origin_of(walkers);
  assert_int_not_equal(number, no_origin);
  const char* const stored = text_of(number);
  assert_ptr_not_equal(stored, walkers);
  walkers[0] = 'W';
  assert_string_equal(stored, "walkers");
  assert_int_equal(origin_of("walkers"), number);
  assert_int_equal(origin_at(stored), number);
  assert_int_not_equal(origin_of(walkers), number);
  assert_int_not_equal(origin_of("walker"), number);
  assert_null(text_of(no_origin));
}

void an_address_that_is_not_that_of_a_text_is_not_read(void**) {
  const OriginNumber number = origin_of("orbitals");
  const char* const stored = text_of(number);
  const char copy[] = "orbitals";
  assert_int_equal(origin_at(copy), no_origin);
  assert_int_equal(origin_at(stored + 1), no_origin);
  assert_int_equal(origin_at(nullptr), no_origin);
  for (std::uintptr_t wild = 1; wild != 0; wild <<= 1) assert_int_equal(origin_at(reinterpret_cast<const char*>(wild)), no_origin);
}

void texts_with_any_bytes_and_of_any_length_differ(void**) {
  std::vector<std::string> texts = {std::string(), std::string(1, '\0'), std::string(2, '\0'), std::string(longest_label, 'x'),
                                    std::string(longest_label - 1, 'x'), "\xff\n\t"};
  std::vector<OriginNumber> numbers;
  for (const std::string& text : texts) numbers.push_back(origin_of(text));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    assert_memory_equal(text_of(numbers[i]), texts[i].c_str(), texts[i].size() + 1);
    assert_int_equal(origin_of(texts[i]), numbers[i]);
    for (std::size_t j = 0; j < i; ++j) assert_int_not_equal(numbers[i], numbers[j]);
  }
}

void a_hundred_thousand_texts_keep_their_numbers(void**) {
  constexpr int many = 100000;
  std::vector<OriginNumber> numbers;
  std::vector<const char*> texts;
  for (int i = 0; i < many; ++i) {
    numbers.push_back(origin_of("array " + std::to_string(i)));
    texts.push_back(text_of(numbers.back()));
  }
  for (int i = 0; i < many; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string text = "array " + std::to_string(i);
    assert_true(origin_of(text) == numbers[at] && text_of(numbers[at]) == texts[at] && text == texts[at] && origin_at(texts[at]) == numbers[at]);
  }
}

void threads_that_store_the_same_texts_at_once_get_the_same_numbers(void**) {
  constexpr std::size_t texts = 2000, threads = 4;
  std::array<std::array<OriginNumber, texts>, threads> numbers{};
  std::vector<std::thread> running;
  for (auto& own : numbers) {
    running.emplace_back([&own] {
      for (std::size_t i = 0; i < texts; ++i) own[i] = origin_of("shared " + std::to_string(i));
    });
  }
  for (std::thread& thread : running) thread.join();
  for (std::size_t i = 0; i < texts; ++i) {
    const std::string text = "shared " + std::to_string(i);
    for (const auto& own : numbers) assert_int_equal(own[i], numbers[0][i]);
    assert_int_equal(origin_of(text), numbers[0][i]);
    assert_string_equal(text_of(numbers[0][i]), text.c_str());
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_text_is_stored_once_and_found_by_contents_and_address),
      cmocka_unit_test(an_address_that_is_not_that_of_a_text_is_not_read),
      cmocka_unit_test(texts_with_any_bytes_and_of_any_length_differ),
      cmocka_unit_test(a_hundred_thousand_texts_keep_their_numbers),
      cmocka_unit_test(threads_that_store_the_same_texts_at_once_get_the_same_numbers),
  };
  return cmocka_run_group_tests_name("label", tests, nullptr, nullptr);
}
