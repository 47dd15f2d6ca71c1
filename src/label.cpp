// Tangled from org/label.org; change the chapter, then run: make tangle
#include "label.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <new>

namespace cadastre::internal {
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

constexpr OriginNumber first_segment = 64;

struct Place {
  unsigned segment;
  OriginNumber index, size;
};

constexpr Place place_of(OriginNumber number) noexcept {
  const auto segment = static_cast<unsigned>(std::bit_width(number / first_segment));
  const OriginNumber size = segment == 0 ? first_segment : first_segment << (segment - 1);
  return {segment, segment == 0 ? number : number - size, size};
}

using Slot = std::atomic<const Label*>;
constinit std::array<std::atomic<Slot*>, place_of(UINT32_MAX).segment + 1> segments{};
constinit std::atomic<OriginNumber> last_number{no_origin};

// The slot of a number; null when the host has no memory.
Slot* slot_for(OriginNumber number) noexcept {
  const Place place = place_of(number);
  Slot* slots = segments[place.segment].load(std::memory_order_acquire);
  if (slots) return &slots[place.index];
  auto* const fresh = new (std::nothrow) Slot[place.size]();
  if (!fresh) return nullptr;
  if (segments[place.segment].compare_exchange_strong(slots, fresh, std::memory_order_acq_rel)) return &fresh[place.index];
  delete[] fresh;
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

Label* new_label(std::uint64_t hash, std::string_view text) noexcept {
  void* const memory = operator new(sizeof(Label) + text.size() + 1, std::nothrow);
  if (!memory) return nullptr;
  auto* const label = ::new (memory) Label{.hash = hash, .number = no_origin, .length = static_cast<std::uint32_t>(text.size())};
  std::memcpy(label->text(), text.data(), text.size());
  label->text()[text.size()] = '\0';
  return label;
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
    operator delete(label);
    return no_origin;
  }
  const Label* looked_at = head;
  for (label->after_by_text = head; !list.compare_exchange_weak(head, label, std::memory_order_acq_rel); label->after_by_text = head) {
    if (const Label* const known = find(head, looked_at, hash, text)) return known->number;
    looked_at = head;
  }
  return label->number;
}

OriginNumber known_origin_of(std::string_view text) noexcept {
  const std::uint64_t hash = spread(std::hash<std::string_view>()(text));
  const Label* const known = find(list_of(by_text, hash).load(std::memory_order_acquire), nullptr, hash, text);
  return known ? known->number : no_origin;
}

OriginNumber origin_at(const char* address) noexcept {
  const Label* label = list_of(by_address, spread(reinterpret_cast<std::uintptr_t>(address))).load(std::memory_order_acquire);
  while (label && label->text() != address) label = label->after_by_address;
  return label ? label->number : no_origin;
}

const char* text_of(OriginNumber number) noexcept {
  if (number == no_origin) return nullptr;
  const Place place = place_of(number);
  return segments[place.segment].load(std::memory_order_acquire)[place.index].load(std::memory_order_acquire)->text();
}

}  // namespace cadastre::internal
