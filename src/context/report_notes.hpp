// Tangled from org/context/report_notes.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a context notes for its report.
#ifndef CADASTRE_SRC_CONTEXT_REPORT_NOTES_HPP
#define CADASTRE_SRC_CONTEXT_REPORT_NOTES_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

// What lives of one label on one memory type. label: no_origin for what has none.
struct LabelShare {
  OriginNumber label;
  cadastre_memory_type type;
  LabelCount count;
};

// What lives of each label, as the counters say, and what they leave of each memory type; blocks are looked at only where there was no
// memory for a counter. Throws std::bad_alloc.
std::vector<LabelShare> label_shares(const Registry& registry);
// The same without memory, one after the other; false where the counters are not complete, and what has a label is then with what has none.
using ShareShown = void (*)(void* whose, const LabelShare& share) noexcept;
bool show_label_shares(const Registry& registry, void* whose, ShareShown shown) noexcept;

// Blocks with one label that a program has freed by free.
struct PlainFrees {
  OriginNumber origin;
  std::int64_t blocks;
  std::size_t bytes;
};

class ReportNotes {
 public:
  explicit ReportNotes(Registry& registry) noexcept : registry_(registry) {}
  // The failure that was stored last. counts: whether the blocks are looked at, to say who holds the most, which may be done inside the context only.
  void keep_failure(const char* function, bool counts) noexcept;
  // Under which labels most of a memory type is held; counted again only after a while that is long beside what that takes.
  const Holders& count_holders(cadastre_memory_type type) noexcept;
  // A block that was freed was freed by free.
  void count_plain_free(const Record& block) noexcept;

  const KeptFailures& failures() const noexcept { return failures_; }
  const OwnVector<PlainFrees>& plain_frees() const noexcept { return plain_frees_; }
  // As new ones, where no failure was noted.
  void renew() noexcept {
    plain_frees_.clear();
    counted_type_ = -1;
  }

 private:
  Registry& registry_;
  KeptFailures failures_;
  OwnVector<PlainFrees> plain_frees_;
  Holders holders_ = {};  // of a memory type, as they were counted last
  cadastre_memory_type counted_type_ = -1;
  std::chrono::steady_clock::time_point count_again_ = {};
};

}  // namespace cadastre::internal
#endif
