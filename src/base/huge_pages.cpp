// Tangled from org/base/huge_pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/huge_pages.hpp"

#include <sys/prctl.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "base/small_files.hpp"

namespace cadastre::internal {
namespace {

constexpr const char* folder = "/sys/kernel/mm/hugepages/hugepages-";

struct FolderName {
  explicit FolderName(std::size_t page) noexcept { std::snprintf(characters, sizeof characters, "%zukB", page >> 10); }
  char characters[32];
};

std::size_t number_in(const char* root, const FolderName& name, const char* file, bool& known) noexcept {
  const auto number = Contents({root, folder, name.characters, file}).number();
  known = number.has_value() && *number >= 0;
  return known ? static_cast<std::size_t>(*number) : 0;
}

}  // namespace

Text size_text(std::size_t bytes) noexcept {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < sizeof units / sizeof *units && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, ++unit;
  return text("%zu %s", bytes, units[unit]);
}

ReservedPages reserved_pages(std::size_t page, const char* root) noexcept {
  ReservedPages pages;
  const FolderName name(page);
  pages.total = number_in(root, name, "/nr_hugepages", pages.known);
  bool free_is_known = false;
  pages.free = number_in(root, name, "/free_hugepages", free_is_known);
  return pages;
}

Text sizes_of_reserved_pages(const char* root) noexcept {
  Text sizes;
  for (std::size_t page = std::size_t{1} << 13; page <= std::size_t{1} << 36; page <<= 1) {
    if (!reserved_pages(page, root).known) continue;
    sizes = text("%s%s%s", sizes.characters, *sizes.characters ? ", " : "", size_text(page).characters);
  }
  return sizes;
}

Text how_to_reserve(std::size_t page) noexcept {
  return text("an administrator reserves some with: echo NUMBER >%s%s/nr_hugepages", folder, FolderName(page).characters);
}

namespace {

struct ChosenWord {
  const char* word;  // as the system shows which one is chosen
  Transparent meaning;
};

Transparent chosen_in(const char* root, const char* file, std::initializer_list<ChosenWord> words) noexcept {
  if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1) return Transparent::never;
  const Contents contents{root, "/sys/kernel/mm/transparent_hugepage/", file};
  for (const ChosenWord& one : words) {
    if (std::strstr(contents.text, one.word)) return one.meaning;
  }
  return Transparent::unknown;
}

}  // namespace

Transparent transparent_huge_pages(const char* root) noexcept {
  return chosen_in(root, "enabled",
                   {{"[never]", Transparent::never}, {"[madvise]", Transparent::on_request}, {"[always]", Transparent::always}});
}

Transparent transparent_shared_pages(const char* root) noexcept {
  return chosen_in(root, "shmem_enabled",
                   {{"[never]", Transparent::never},
                    {"[deny]", Transparent::never},
                    {"[advise]", Transparent::on_request},
                    {"[within_size]", Transparent::always},
                    {"[always]", Transparent::always},
                    {"[force]", Transparent::always}});
}

std::size_t transparent_page_size(const char* root) noexcept {
  const auto bytes = Contents({root, "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"}).number();
  constexpr std::size_t usual = std::size_t{2} << 20;
  if (!bytes || *bytes < 4096) return usual;
  const auto size = static_cast<std::size_t>(*bytes);
  return std::has_single_bit(size) ? size : usual;
}

}  // namespace cadastre::internal
