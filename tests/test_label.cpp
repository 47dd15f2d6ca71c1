// Tangled from org/tests/label_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "base/label.hpp"
#include "base/own_memory.hpp"
#include "cmocka.hpp"

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
  std::vector<std::string> texts = {
      std::string(), std::string(1, '\0'), std::string(2, '\0'), std::string(longest_label, 'x'), std::string(longest_label - 1, 'x'),
      "\xff\n\t"};
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
    assert_true(origin_of(text) == numbers[at] && text_of(numbers[at]) == texts[at] && text == texts[at] &&
                origin_at(texts[at]) == numbers[at]);
  }
}

// Of the compiler's knowledge of an array it would conclude that not all of a piece may be read.
[[gnu::noinline]] OriginNumber at_once_of(const char* text) { return number_at_once(text); }

bool finds_at_once() { return stored_texts.limit > 0; }

// Whether a text is taken for the label with a number by all that look for it; at_once: or else by none, when it is not found without a call.
bool is_label(const char* text, OriginNumber number, bool at_once) {
  const OriginNumber quick = at_once_of(text);
  return number_of_label(text) == number && known_origin_of(text) == number && (quick == number || (!at_once && quick == no_origin));
}

void texts_of_all_lengths_are_found_at_all_alignments(void**) {
  alignas(64) std::array<char, 512> buffer;
  for (std::size_t length = 0; length <= longest_label; ++length) {
    std::string text = "length " + std::to_string(length) + std::string(longest_label, '.');
    text.resize(length);
    const OriginNumber number = origin_of(text);
    for (std::size_t at = 0; at < 64; ++at) {
      for (const char behind : {'\0', 'x', '\xff'}) {
        buffer.fill(behind);
        std::memcpy(&buffer[at], text.c_str(), length + 1);
        const bool in_page = reinterpret_cast<std::uintptr_t>(&buffer[at]) % 4096 <= 4000;
        assert_true(is_label(&buffer[at], number, finds_at_once() && in_page && length > 0 && length <= 48));
      }
    }
  }
}

void a_text_may_end_where_memory_does(void**) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const memory = static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  assert_ptr_not_equal(memory, MAP_FAILED);
  assert_int_equal(munmap(memory + page, page), 0);
  for (std::size_t length = 1; length <= longest_label; ++length) {
    const std::string text = std::to_string(length).substr(0, length) + std::string(length > 3 ? length - 3 : 0, 'e');
    for (std::size_t before_end = text.size() + 1; before_end < text.size() + 70; ++before_end) {
      std::memset(memory, 'z', page);
      char* const at = memory + page - before_end;
      std::memcpy(at, text.c_str(), text.size() + 1);
      assert_true(is_label(at, origin_of(text), finds_at_once() && before_end > 48 && text.size() <= 48));
    }
  }
  munmap(memory, page);
}

// Who finds an entry's text the same relies on its number.
void an_empty_entry_has_the_text_of_no_label(void**) {
  assert_int_not_equal(origin_of("any"), no_origin);
  const char empty[StoredTexts::piece] = {};
  assert_memory_not_equal(stored_texts.texts, empty, sizeof empty);
  assert_int_equal(stored_texts.texts[0], '\0');
  assert_true(is_label("", origin_of(""), finds_at_once()));
}

void a_buffer_may_be_used_again(void**) {
  alignas(64) std::array<char, 64> buffer;  // else it may end with its page, and is not looked at beyond
  const OriginNumber one = origin_of("reused, one"), two = origin_of("reused, two"), longer = origin_of("reused, and with more than 16");
  for (int turn = 0; turn < 3; ++turn) {
    std::strcpy(buffer.data(), "reused, one");
    assert_true(is_label(buffer.data(), one, finds_at_once()));
    std::strcpy(buffer.data(), "reused, two");
    assert_true(is_label(buffer.data(), two, finds_at_once()));
    std::strcpy(buffer.data(), "reused, and with more than 16");
    assert_true(is_label(buffer.data(), longer, finds_at_once()));
    std::strcpy(buffer.data(), "reused, tw");
    assert_true(is_label(buffer.data(), no_origin, true));
  }
}

void a_pointer_into_a_text_is_not_the_text(void**) {
  std::string text(longest_label, 'm');
  for (std::size_t at = 0; at < text.size(); ++at) text[at] = static_cast<char>('a' + at % 23);
  const char* const stored = text_of(origin_of(text));
  assert_true(at_once_of(stored) == origin_at(stored) && origin_at(stored) != no_origin);
  for (std::size_t at = 1; at <= text.size() + 1; ++at) {
    assert_int_equal(origin_at(stored + at), no_origin);
    if (at <= 32) assert_int_equal(origin_at(stored - at), no_origin);
  }
  const OriginNumber rest = origin_of(stored + 240);
  assert_true(is_label(stored + 240, rest, finds_at_once()));
  assert_int_equal(number_of_label(stored + 239), no_origin);
}

void texts_that_begin_alike_differ(void**) {
  for (const std::size_t first : {1u, 2u}) {
    const std::string text(64, static_cast<char>('q' + first));
    std::vector<OriginNumber> numbers(text.size() + 1, no_origin);
    for (std::size_t length = first; length <= text.size(); length += 2) numbers[length] = origin_of(text.substr(0, length));
    for (std::size_t length = 1; length <= text.size(); ++length) {
      std::array<char, 128> buffer{};
      text.copy(buffer.data(), length);
      assert_true(is_label(buffer.data(), numbers[length], finds_at_once() && length <= 48 && numbers[length] != no_origin));
    }
  }
  using namespace std::string_view_literals;
  const OriginNumber with_zero = origin_of("be\0hind"sv);
  assert_int_equal(number_of_label("be"), no_origin);
  assert_int_equal(at_once_of("be\0hind"), no_origin);
  assert_int_equal(known_origin_of("be\0hind"sv), with_zero);
}

// So many that some are looked for where the stored one is.
void texts_that_differ_in_one_piece_only_differ(void**) {
  const std::string text = "differs in one piece of three, of 48 characters.";
  assert_int_equal(text.size(), 48);
  const OriginNumber number = origin_of(text);
  for (const std::size_t at : {4u, 20u, 40u}) {
    for (int turn = 0; turn < 30000; ++turn) {
      std::string other = text;
      other.replace(at, 5, std::to_string(10000 + turn));
      assert_int_equal(at_once_of(other.c_str()), no_origin);
    }
  }
  assert_true(is_label(text.c_str(), number, finds_at_once()));
}

void a_child_stores_while_another_thread_of_its_parent_did(void**) {
  std::atomic<bool> stop = false;
  std::thread other([&stop] {
    for (int i = 0; i < 5000 && !stop; ++i) origin_of("of the other " + std::to_string(i));
  });
  const OriginNumber before = origin_of("before the fork");
  int right = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      const OriginNumber fresh = origin_of("in the child");
      const OriginNumber others = origin_of("of the other 0");
      const bool found = is_label("before the fork", before, finds_at_once()) && is_label("in the child", fresh, finds_at_once());
      // By a signal, since a sanitizer would miss the other thread at an exit.
      if (found && fresh != no_origin && std::string_view(text_of(others)) == "of the other 0") std::raise(SIGKILL);
      _exit(1);
    }
    int status = 1;
    right += child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }
  stop = true;
  other.join();
  assert_int_equal(right, 20);
}

// A malloc may call this library, and may not work in the child of a fork.
void no_malloc_serves_a_label(void**) {
#ifdef __GLIBC__
  std::vector<std::string> texts;
  for (int i = 0; i < 20000; ++i) {
    texts.push_back("in no malloc " + std::to_string(i));
    texts.push_back(texts.back() + std::string(longest_label - texts.back().size(), '.'));
  }
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  for (const std::string& text : texts) assert_true(origin_of(text) != no_origin);
  assert_int_equal(mallinfo2().uordblks + mallinfo2().hblkhd, before);
#endif
}

// More than the table has entries, and than the memory of those that are found at once has room for.
void many_threads_store_more_than_is_found_at_once(void**) {
  constexpr std::size_t texts = 100000, threads = 4;
  std::vector<std::vector<OriginNumber>> numbers(threads, std::vector<OriginNumber>(texts));
  std::vector<std::thread> running;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&own = numbers[thread], thread] {
      for (std::size_t i = 0; i < texts; ++i) {
        const std::size_t which = (i + thread * 7) % texts;
        own[which] = origin_of("of four threads " + std::to_string(which));
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  std::size_t elsewhere = 0, not_at_once = 0;
  for (std::size_t i = 0; i < texts; ++i) {
    const std::string text = "of four threads " + std::to_string(i);
    const OriginNumber number = numbers[0][i];
    for (const auto& own : numbers) assert_int_equal(own[i], number);
    const char* const stored = text_of(number);
    assert_true(text == stored && is_label(text.c_str(), number, false) && is_label(stored, number, false) && origin_at(stored) == number);
    elsewhere += stored_texts.at(stored) == no_origin;
    not_at_once += at_once_of(text.c_str()) == no_origin;
  }
  assert_true(elsewhere > 0 && not_at_once > 0);
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
  pthread_atfork(own_memory_before_fork, own_memory_after_fork, own_memory_after_fork);  // as contexts do, of which there are none here
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_text_is_stored_once_and_found_by_contents_and_address),
      cmocka_unit_test(an_address_that_is_not_that_of_a_text_is_not_read),
      cmocka_unit_test(texts_with_any_bytes_and_of_any_length_differ),
      cmocka_unit_test(texts_of_all_lengths_are_found_at_all_alignments),
      cmocka_unit_test(a_text_may_end_where_memory_does),
      cmocka_unit_test(an_empty_entry_has_the_text_of_no_label),
      cmocka_unit_test(a_buffer_may_be_used_again),
      cmocka_unit_test(a_pointer_into_a_text_is_not_the_text),
      cmocka_unit_test(texts_that_begin_alike_differ),
      cmocka_unit_test(texts_that_differ_in_one_piece_only_differ),
      cmocka_unit_test(a_child_stores_while_another_thread_of_its_parent_did),
      cmocka_unit_test(no_malloc_serves_a_label),
      cmocka_unit_test(a_hundred_thousand_texts_keep_their_numbers),
      cmocka_unit_test(many_threads_store_more_than_is_found_at_once),
      cmocka_unit_test(threads_that_store_the_same_texts_at_once_get_the_same_numbers),
  };
  return cmocka_run_group_tests_name("label", tests, nullptr, nullptr);
}
