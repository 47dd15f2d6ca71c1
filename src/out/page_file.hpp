// Tangled from org/out/page_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of an output's file at any place.
#ifndef CADASTRE_SRC_OUT_PAGE_FILE_HPP
#define CADASTRE_SRC_OUT_PAGE_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/non_copyable.hpp"
#include "out/output.hpp"

namespace cadastre::internal {

// Whether the file system of a file keeps the promise of reserve_pages, that a page which is written to has room.
bool keeps_reserved_pages(int descriptor) noexcept;
int reserve_pages(int descriptor, std::uint64_t place, std::uint64_t bytes) noexcept;
// All of them at a place of a file; 0 or an errno.
int write_bytes(int descriptor, std::uint64_t place, std::string_view bytes) noexcept;

// What returns an int returns 0 or an errno. Calls for one file must not overlap.
class PageFile : NonCopyable {
 public:
  // output: open and regular before this is used, and there as long as this is.
  explicit PageFile(Output& output) noexcept : output_(output) {}

  bool keeps_pages() noexcept { return open() == 0 && keeps_reserved_pages(descriptor_); }
  int reserve(std::uint64_t place, std::uint64_t bytes) noexcept;
  // Pages that are shared with the file; null, and why, where there are none.
  void* map(std::uint64_t place, std::size_t bytes, int& error) noexcept;
  int write_at(std::uint64_t place, std::string_view bytes) noexcept;
  int shorten(std::uint64_t bytes) noexcept;
  void close() noexcept;

 private:
  int open() noexcept;

  Output& output_;
  int descriptor_ = -1;
};

}  // namespace cadastre::internal
#endif
