// Tangled from org/base/numa_nodes.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/numa_nodes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.hpp"

namespace cadastre::internal {
namespace {

ssize_t read_some(int file, char* bytes, std::size_t room) noexcept {
  ssize_t got = 0;
  do got = ::read(file, bytes, room);
  while (got < 0 && errno == EINTR);
  return got;
}

}  // namespace

void BytesOnNodes::end_word() noexcept {
  std::string_view value(word_, length_);
  length_ = 0;
  const std::string_view name = take_until(value, "=");
  const std::optional<std::uint64_t> number = parse_number(value);
  if (!number) return;
  if (name == "kernelpagesize_kB") page_ = *number << 10;
  const std::optional<std::uint64_t> node = name.starts_with('N') ? parse_number(name.substr(1)) : std::nullopt;
  if (node && *node < most) pages_[*node] = *number;
}

void BytesOnNodes::end_line() noexcept {
  const std::uint64_t page = page_ != 0 ? page_ : static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t node = 0; node < most; ++node) bytes_[node] += pages_[node] * page;
  pages_.fill(0);
  page_ = 0;
}

void BytesOnNodes::read(std::string_view piece) noexcept {
  for (const char c : piece) {
    if (c != ' ' && c != '\n') {
      if (length_ < sizeof word_) word_[length_++] = c;
      continue;
    }
    end_word();
    if (c == '\n') end_line();
  }
}

bool read_bytes_on_nodes(BytesOnNodes& nodes, char* piece, std::size_t room) noexcept {
  const int file = open("/proc/self/numa_maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t got = 0;
  while ((got = read_some(file, piece, room)) > 0) nodes.read({piece, static_cast<std::size_t>(got)});
  close(file);
  return got == 0;
}

}  // namespace cadastre::internal
