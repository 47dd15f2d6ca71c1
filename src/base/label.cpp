// Tangled from org/base/label.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/label.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include "config.h"
#include "base/own_memory.hpp"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/drd.h>
#include <valgrind/helgrind.h>
#include <valgrind/memcheck.h>
#endif

namespace cadastre::internal {

StoredTexts stored_texts;

namespace {

struct Label {
  const Label* after_by_text = nullptr;
  const Label* after_by_address = nullptr;
  std::uint64_t hash;
  OriginNumber number;
  std::uint32_t length;

  char* text() noexcept { return reinterpret_cast<char*>(this + 1); }
  const char* text() const noexcept { return reinterpret_cast<const char*>(this + 1); }
  bool is(std::uint64_t other_hash, std::string_view other) const noexcept {
    return hash == other_hash && other == std::string_view(text(), length);
  }
};

// Whether the build has no reads of pieces, or a tool runs the program that reports those next to what the caller owns.
bool reads_are_watched() noexcept {
#if !defined(CADASTRE_READS_PIECES)
  return true;
#elif defined(HAVE_VALGRIND_MEMCHECK_H)
  char here = 0, bits = 0;  // each tool answers its own question, and others and none say something else
  return VALGRIND_GET_VBITS(&here, &bits, 1) != 0 || VALGRIND_HG_GET_ABITS(&here, nullptr, 1) == 1 || DRD_GET_DRD_THREADID != 0;
#else
  return false;
#endif
}

constinit std::atomic<bool> started = false;
constinit std::atomic<std::size_t> next_place = StoredTexts::longest;  // at 0 there is none: that is where an empty entry leads

// A child of a fork that happens in the middle reads byte by byte for ever, which is right as well.
void start() noexcept {
  if (started.exchange(true, std::memory_order_relaxed)) return;
#ifdef MADV_NOHUGEPAGE
  madvise(&stored_texts, sizeof stored_texts, MADV_NOHUGEPAGE);  // where it fails, all works
#endif
  for (std::size_t place = StoredTexts::piece + 1; place <= StoredTexts::longest; ++place) {
    std::memset(stored_texts.masks + place * StoredTexts::piece, 0xFF, std::min(place - StoredTexts::piece, StoredTexts::piece));
  }
  stored_texts.texts[1] = 'x';  // behind an end, so that no text is that of an empty entry
  if (!reads_are_watched()) stored_texts.limit.store(1 + StoredTexts::last_begin, std::memory_order_release);
}

// How many bytes a text takes with its end and the zeros behind it.
constexpr std::size_t padded(std::size_t length) noexcept {
  const std::size_t whole = (length / StoredTexts::step + 1) * StoredTexts::step;
  return length < StoredTexts::piece ? whole : std::max(whole, StoredTexts::longest);
}

// Zeroed; null where there is no more.
void* cut(std::size_t bytes) noexcept {
  std::size_t place = next_place.load(std::memory_order_relaxed);
  do {
    if (bytes > StoredTexts::bytes - place) return nullptr;
  } while (!next_place.compare_exchange_weak(place, place + bytes, std::memory_order_relaxed));
  return stored_texts.texts + place;
}

bool fits_an_entry(std::string_view text) noexcept { return text.size() <= StoredTexts::longest && text.find('\0') == text.npos; }

std::size_t home_of(std::string_view text) noexcept {
  std::uint64_t words[StoredTexts::longest / sizeof(std::uint64_t)] = {};
  std::memcpy(words, text.data(), text.size());
  const std::uint64_t low = words[0] + std::rotl(words[2], 32) + words[5], high = words[1] + std::rotl(words[3], 32) + words[4];
  return StoredTexts::home_of(low, high);
}

// text: one that fits an entry.
OriginNumber number_of_entry(std::string_view text) noexcept {
  const std::size_t home = home_of(text);
  for (std::size_t probe = 0; probe < StoredTexts::probes; ++probe) {
    const TextEntry entry = stored_texts.entry(home + probe);
    if (entry.number == no_origin) return no_origin;
    if (std::memcmp(entry.text, text.data(), text.size()) == 0 && entry.text[text.size()] == '\0') return entry.number;
  }
  return no_origin;
}

void enter_at_once(const Label& label) noexcept {
  const std::string_view text(label.text(), label.length);
  const auto place = static_cast<std::size_t>(label.text() - stored_texts.texts);
  std::atomic<std::uint64_t>* entry = &stored_texts.entries[home_of(text)];
  for (unsigned probe = 0; probe < StoredTexts::probes; ++probe, ++entry) {
    std::uint64_t known = 0;
    if (entry->compare_exchange_strong(known, std::uint64_t{label.number} << 32 | place, std::memory_order_acq_rel)) return;
  }
}

constexpr OriginNumber first_segment = 64;

constexpr SegmentPlace place_of(OriginNumber number) noexcept { return place_in_segments(number, first_segment); }

using Slot = std::atomic<const Label*>;
constinit std::array<std::atomic<Slot*>, place_of(UINT32_MAX).segment + 1> segments{};
constinit std::atomic<OriginNumber> last_number{no_origin};

// The slot of a number; null when the host has no memory.
Slot* slot_for(OriginNumber number) noexcept {
  const SegmentPlace place = place_of(number);
  Slot* slots = segments[place.segment].load(std::memory_order_acquire);
  if (slots) return &slots[place.index];
  const std::size_t bytes = place.size * sizeof(Slot);
  auto* const fresh = static_cast<Slot*>(take_own(bytes));
  if (!fresh) return nullptr;
  std::uninitialized_value_construct_n(fresh, place.size);
  if (segments[place.segment].compare_exchange_strong(slots, fresh, std::memory_order_acq_rel)) return &fresh[place.index];
  give_own(fresh, bytes);
  return &slots[place.index];
}

constexpr std::size_t lists = std::size_t{1} << 14;  // of which the pages that are used are there
constinit std::array<std::atomic<const Label*>, lists> by_text{}, by_address{};

std::atomic<const Label*>& list_of(std::array<std::atomic<const Label*>, lists>& all, std::uint64_t hash) noexcept {
  return all[hash >> (64 - std::bit_width(lists - 1))];
}

// The label with a text among those from one on to another, which is not looked at.
const Label* find(const Label* from, const Label* end, std::uint64_t hash, std::string_view text) noexcept {
  while (from != end && !from->is(hash, text)) from = from->after_by_text;
  return from == end ? nullptr : from;
}

bool is_at_once(const Label& label) noexcept {
  return reinterpret_cast<std::uintptr_t>(&label) - reinterpret_cast<std::uintptr_t>(&stored_texts) < sizeof stored_texts;
}

// Of a label that does not lie where texts are found at once.
constexpr std::size_t bytes_elsewhere(std::size_t length) noexcept { return sizeof(Label) + length + 1; }

Label* new_label(std::uint64_t hash, std::string_view text) noexcept {
  static_assert(sizeof(Label) % StoredTexts::step == 0);
  start();
  void* memory = cut(sizeof(Label) + padded(text.size()));
  if (!memory && !(memory = take_own(bytes_elsewhere(text.size())))) return nullptr;
  auto* const label = ::new (memory) Label{.hash = hash, .number = no_origin, .length = static_cast<std::uint32_t>(text.size())};
  std::memcpy(label->text(), text.data(), text.size());
  label->text()[text.size()] = '\0';
  return label;
}

void delete_label(Label* label) noexcept {
  if (!is_at_once(*label)) give_own(label, bytes_elsewhere(label->length));
}

// Gives a label its number, and makes it known by that and by its address. False when the host has no memory.
bool enter(Label& label) noexcept {
  OriginNumber number = last_number.load(std::memory_order_relaxed);
  Slot* slot = nullptr;
  do {
    if (number == UINT32_MAX || !(slot = slot_for(number + 1))) return false;
  } while (!last_number.compare_exchange_weak(number, number + 1, std::memory_order_relaxed));
  label.number = number + 1;
  slot->store(&label, std::memory_order_release);
  if (is_at_once(label) && label.number <= StoredTexts::last_number) {
    const auto place = static_cast<std::size_t>(label.text() - stored_texts.texts);
    stored_texts.numbers[place / StoredTexts::step].store(label.number, std::memory_order_release);
    return true;
  }
  std::atomic<const Label*>& list = list_of(by_address, spread(reinterpret_cast<std::uintptr_t>(label.text())));
  const Label* head = list.load(std::memory_order_acquire);
  do {
    label.after_by_address = head;
  } while (!list.compare_exchange_weak(head, &label, std::memory_order_acq_rel));
  return true;
}

}  // namespace

OriginNumber origin_of(std::string_view text) noexcept {
  const std::uint64_t hash = spread(std::hash<std::string_view>()(text));
  std::atomic<const Label*>& list = list_of(by_text, hash);
  const Label* head = list.load(std::memory_order_acquire);
  if (const Label* const known = find(head, nullptr, hash, text)) return known->number;
  Label* const label = new_label(hash, text);
  if (!label) return no_origin;
  if (!enter(*label)) {
    delete_label(label);
    return no_origin;
  }
  const Label* looked_at = head;
  for (label->after_by_text = head; !list.compare_exchange_weak(head, label, std::memory_order_acq_rel); label->after_by_text = head) {
    if (const Label* const known = find(head, looked_at, hash, text)) return known->number;
    looked_at = head;
  }
  if (is_at_once(*label) && label->number <= StoredTexts::last_number && fits_an_entry(text)) enter_at_once(*label);
  return label->number;
}

OriginNumber known_origin_of(std::string_view text) noexcept {
  if (fits_an_entry(text)) {
    if (const OriginNumber number = number_of_entry(text)) return number;
  }
  const std::uint64_t hash = spread(std::hash<std::string_view>()(text));
  const Label* const known = find(list_of(by_text, hash).load(std::memory_order_acquire), nullptr, hash, text);
  return known ? known->number : no_origin;
}

OriginNumber origin_at(const char* address) noexcept {
  if (const OriginNumber number = stored_texts.at(address)) return number;
  const Label* label = list_of(by_address, spread(reinterpret_cast<std::uintptr_t>(address))).load(std::memory_order_acquire);
  while (label && label->text() != address) label = label->after_by_address;
  return label ? label->number : no_origin;
}

OriginNumber number_of_label(const char* text) noexcept {
  if (const OriginNumber interned = origin_at(text)) return interned;
  const std::size_t length = strnlen(text, longest_label + 1);
  return length > longest_label ? no_origin : known_origin_of({text, length});
}

const char* text_of(OriginNumber number) noexcept {
  if (number == no_origin) return nullptr;
  const SegmentPlace place = place_of(number);
  const Slot* const slots = segments[place.segment].load(std::memory_order_acquire);
  const Label* const label = slots ? slots[place.index].load(std::memory_order_acquire) : nullptr;
  return label ? label->text() : nullptr;  // none: the number is from a record that was overwritten
}

}  // namespace cadastre::internal
