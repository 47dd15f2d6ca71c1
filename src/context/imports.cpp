// Tangled from org/context/imports.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/imports.hpp"

#include <algorithm>
#include <utility>

#include "backends/ipc.hpp"

namespace cadastre::internal {

cadastre_exit_code end_import(Sources& sources, const Import& import) noexcept {
  for (int time = 0; time < import.times; ++time) {
    if (const cadastre_exit_code code = sources.backend().close_import(import.device, import.base); code != CADASTRE_SUCCESS) return code;
  }
  end_claim(import.file);
  return CADASTRE_SUCCESS;
}

Import* Imports::find(const void* pointer) noexcept {
  Import* const found = std::find_if(list_.begin(), list_.end(), [=](const Import& one) { return one.pointer == pointer; });
  return found == list_.end() ? nullptr : found;
}

void Imports::take_from(Imports& others) noexcept {
  for (; !others.empty() && reserve_one(); others.list_.remove_at(others.list_.size() - 1)) add(others.list_[others.list_.size() - 1]);
}

cadastre_exit_code Imports::end_all(Sources& sources) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for (const Import& import : list_) {
    Record range;
    range.pointer = import.pointer;
    range.type = CADASTRE_DEVICE;
    range.backend = static_cast<std::uint8_t>(sources.backend().number());
    range.device = import.device;
    cadastre_exit_code code = sources.settle_elsewhere(range);
    if (code == CADASTRE_SUCCESS) code = sources.backend().settle(range);
    if (const cadastre_exit_code closed = end_import(sources, import); closed != CADASTRE_SUCCESS) code = closed;
    if (code != CADASTRE_SUCCESS) worst = code;
  }
  list_.clear();
  return worst;
}

void Imports::leave_to_parent() noexcept {
  for (Import& import : list_) end_claim(std::exchange(import.file, -1));
}

}  // namespace cadastre::internal
