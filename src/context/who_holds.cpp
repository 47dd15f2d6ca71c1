// Tangled from org/context/who_holds.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/who_holds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

#include "base/text.hpp"
#include "context/all_contexts.hpp"
#include "context/usage.hpp"
#include "pool/pools.hpp"

namespace cadastre::internal {

namespace {

struct ContextBytes {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  std::size_t bytes = 0;
  Holders holders = {};
};

constexpr int longest_shown = 40;  // of a label

// The texts grow by what is added, as much as fits.
void add_labels(Text& told, const Holders& holders) noexcept {
  const char* before = " (";
  for (std::size_t i = 0; i < 2 && holders[i].blocks > 0; ++i) {
    const Holder& holder = holders[i];
    const char* const label = holder.label ? holder.label : "";
    told = *label ? text("%s%s\"%.*s\": %zu", told.characters, before, longest_shown, label, holder.bytes)
                  : text("%s%swithout a label: %zu", told.characters, before, holder.bytes);
    before = ", ";
  }
  if (holders[0].blocks > 0) told = text("%s)", told.characters);
}

void add_contexts(Text& told, const SharedAccount& account, cadastre_memory_type type) noexcept {
  using Most = std::array<ContextBytes, 2>;
  Most most;
  for_each_holder(account, type, &most, [](void* whose, cadastre_context context, std::size_t bytes, const Holders& holders) noexcept {
    ContextBytes candidate{context, bytes, holders};
    for (ContextBytes& place : *static_cast<Most*>(whose)) {
      if (candidate.bytes > place.bytes) std::swap(candidate, place);
    }
  });
  const char* before = "; most of it is held by context";
  for (const ContextBytes& one : most) {
    if (one.bytes == 0) break;
    told = text("%s%s %lld: %zu bytes", told.characters, std::exchange(before, ", by context"), static_cast<long long>(one.context),
                one.bytes);
    add_labels(told, one.holders);
  }
}

void add_kept(Text& told, cadastre_memory_type type) noexcept {
  struct Sum {
    cadastre_memory_type type;
    std::size_t bytes;
  } sum{type, 0};
  for_each_kept(
      [](void* whose, const Place& place, std::size_t bytes) noexcept {
        Sum& of_type = *static_cast<Sum*>(whose);
        if (place.type == of_type.type) of_type.bytes += bytes;
      },
      &sum);
  if (sum.bytes > 0) told = text("%s; pools have %zu bytes that queues still use", told.characters, sum.bytes);
}

// A vendor that is captured is not asked, nor one that does not tell.
void add_others(Text& told, const Failure& failure) noexcept try {
  const bool of_device = failure.type == CADASTRE_DEVICE || failure.type == CADASTRE_UVM;
  Backend* const backend = of_device && failure.device >= 0 ? find_backend(failure.backend) : nullptr;
  if (!backend || !backend->has_device(failure.device) || backend->capturing(failure.device, CADASTRE_DEFAULT_QUEUE)) return;
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  std::size_t freed = 0;
  if (usage_of_device(*backend, failure.device, usage, &freed) != CADASTRE_SUCCESS || usage.total_bytes == 0) return;
  if (freed > 0) told = text("%s; %zu bytes were freed in the order of queues that may still use them", told.characters, freed);
  told = text("%s; of the %s of device %d, %s are in use, and %s of these are not Cadastre's", told.characters,
              bytes_text(usage.total_bytes).characters, failure.device, bytes_text(usage.used_bytes).characters,
              bytes_text(usage.untracked_bytes).characters);
} catch (const std::bad_alloc&) {
}

}  // namespace

Text holders_text(const SharedAccount& account, const Failure& failure) noexcept {
  Text told;
  if (!is_memory_type(failure.type)) return told;
  const Failure first = failure;
  add_contexts(told, account, first.wanting());
  if (first.reason == CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) {
    add_kept(told, first.type);
    add_others(told, first);
  }
  fail(first);
  return told;
}

}  // namespace cadastre::internal
