// Tangled from org/command/trace_input.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_input.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "trace.hpp"

namespace cadastre::command {

TraceInput::TraceInput(const std::string& path) : name_(path == "-" ? "standard input" : printable(path, 4096)) {
  descriptor_ = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw TraceError(name_ + ": " + std::strerror(errno));
  file_ = gzdopen(descriptor_, "rb");
  if (!file_) {
    close(descriptor_);
    throw std::bad_alloc();
  }
  gzbuffer(file_, 1u << 17);
}

bool TraceInput::is_locked() const noexcept { return flock(descriptor_, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

std::string_view TraceInput::peek(std::size_t bytes) {
  const std::size_t before = peeked_.size();
  if (before < bytes) {
    peeked_.resize(bytes);
    std::size_t used = before;
    while (used < bytes) {
      const std::size_t got = read_file(peeked_.data() + used, bytes - used, "line 0");
      if (got == 0) break;
      used += got;
    }
    peeked_.resize(used);
  }
  return {peeked_.data(), peeked_.size()};
}

std::size_t TraceInput::read(char* bytes, std::size_t most, const std::string& after) {
  if (given_ == peeked_.size()) return read_file(bytes, most, after);
  const std::size_t count = std::min(most, peeked_.size() - given_);
  std::memcpy(bytes, peeked_.data() + given_, count);
  given_ += count;
  return count;
}

std::size_t TraceInput::read_file(char* bytes, std::size_t most, const std::string& after) {
  const int got = gzread(file_, bytes, static_cast<unsigned>(most));
  if (got > 0) return static_cast<std::size_t>(got);
  int error = Z_OK;
  const char* text = gzerror(file_, &error);
  if (error == Z_ERRNO) throw TraceError(name_ + ": " + std::strerror(errno));
  if (error == Z_BUF_ERROR) {
    throw TraceError(name_ + ": the compressed file ends too early, after " + after + "; it was cut off: write it or copy it again");
  }
  if (error != Z_OK) {
    throw TraceError(name_ + ": the compressed file is damaged after " + after + " (" + printable(text) + "); write it or copy it again");
  }
  return 0;
}

}  // namespace cadastre::command
