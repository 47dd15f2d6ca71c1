// Tangled from org/command/trace_live_blocks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What lives in the contexts of a trace.
#ifndef CADASTRE_SRC_COMMAND_TRACE_LIVE_BLOCKS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_LIVE_BLOCKS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <random>
#include <vector>

namespace cadastre::command {

inline constexpr std::uint32_t most_entries = std::uint32_t{1} << 26;

// Spreads numbers that a file chose.
struct NumberHash {
  std::size_t operator()(std::uint64_t number) const noexcept {
    static const std::uint64_t seed = std::random_device()() | std::uint64_t{std::random_device()()} << 32;
    const std::uint64_t hash = (number ^ seed) * 0x9E3779B97F4A7C15u;
    return (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u >> 7;
  }
};

struct LiveBlock {
  std::int64_t number = 0;  // in its context
  std::uint64_t size = 0;
  std::int64_t time = 0;         // when it was allocated
  std::uint32_t entry : 26 = 0;  // of its label
  std::uint32_t alignment_log2 : 6 = 0;
  std::uint32_t after = 0;  // where the next one of its list is
};
static_assert(sizeof(LiveBlock) == 32);

// Those of all contexts.
class LiveBlocks {
 public:
  // Which of them are of one context.
  class OfContext {
    friend class LiveBlocks;
    std::vector<std::uint32_t> heads_;  // a power of two, or none
    std::size_t count_ = 0;
  };

  LiveBlock* find(const OfContext& context, std::int64_t number) {
    if (context.count_ == 0) return nullptr;
    std::uint32_t at = context.heads_[list_of(context, number)];
    while (at != none && block_at(at).number != number) at = block_at(at).after;
    return at == none ? nullptr : &block_at(at);
  }

  // One that is not there yet.
  void add(OfContext& context, const LiveBlock& block) {
    if (context.count_ == context.heads_.size()) add_heads(context);
    const std::uint32_t at = take_place();
    block_at(at) = block;
    link(context, at);
    ++context.count_;
  }

  // One that find has found.
  void remove(OfContext& context, const LiveBlock& block) {
    std::uint32_t* at = &context.heads_[list_of(context, block.number)];
    while (&block_at(*at) != &block) at = &block_at(*at).after;
    const std::uint32_t removed = *at;
    *at = block_at(removed).after;
    --context.count_;
    release(removed);
  }

  // Calls with each, and removes them.
  template <class Call>
  void take_all(OfContext& context, Call call) {
    for (std::uint32_t at : context.heads_) {
      while (at != none) {
        const std::uint32_t after = block_at(at).after;
        call(block_at(at));
        release(at);
        at = after;
      }
    }
    context = {};
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::size_t piece = 4096;

  static std::size_t list_of(const OfContext& context, std::int64_t number) {
    return NumberHash()(static_cast<std::uint64_t>(number)) & (context.heads_.size() - 1);
  }
  LiveBlock& block_at(std::uint32_t place) { return pieces_[place / piece][place % piece]; }

  void link(OfContext& context, std::uint32_t at) {
    std::uint32_t& head = context.heads_[list_of(context, block_at(at).number)];
    block_at(at).after = head;
    head = at;
  }

  void add_heads(OfContext& context) {
    const std::vector<std::uint32_t> heads = std::move(context.heads_);
    context.heads_.assign(heads.empty() ? 8 : 2 * heads.size(), none);
    for (std::uint32_t at : heads) {
      while (at != none) {
        const std::uint32_t after = block_at(at).after;
        link(context, at);
        at = after;
      }
    }
  }

  std::uint32_t take_place() {
    if (free_ != none) {
      const std::uint32_t place = free_;
      free_ = block_at(place).after;
      return place;
    }
    if (used_ == none) throw std::bad_alloc();
    if (used_ % piece == 0) pieces_.push_back(std::make_unique_for_overwrite<LiveBlock[]>(piece));
    return used_++;
  }

  void release(std::uint32_t place) {
    block_at(place).after = free_;
    free_ = place;
  }

  std::vector<std::unique_ptr<LiveBlock[]>> pieces_;
  std::uint32_t used_ = 0;  // places that were ever taken
  std::uint32_t free_ = none;
};

}  // namespace cadastre::command
#endif
