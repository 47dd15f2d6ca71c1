// Tangled from org/out/log_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/log_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"

namespace cadastre::internal {

namespace {

// Opens the log file; -1 where none is named or it cannot be opened.
int open_notes(int flags) noexcept {
  const std::string& name = environment().notes;
  return name.empty() || system_fails(EMFILE) ? -1 : ::open(name.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

}  // namespace

void write_note(const char* kind, const char* variable, const char* text) noexcept {
  const int notes = open_notes(O_WRONLY | O_APPEND | O_CREAT);
  if (notes < 0) return;
  char line[PATH_MAX + 400];
  const int length = std::snprintf(line, sizeof line - 1, "%s\t%s\t%lld\t%s", kind, variable, static_cast<long long>(process_id()), text);
  std::size_t used = std::min(static_cast<std::size_t>(std::max(length, 0)), sizeof line - 2);
  const char* const begin_of_text = line + used - std::min(std::strlen(text), used);
  for (char* c = line; c < line + used; ++c) {
    if (static_cast<unsigned char>(*c) < 0x20 && (*c != '\t' || c >= begin_of_text)) *c = '?';
  }
  line[used++] = '\n';
  const NoWriteSignal held;
  [[maybe_unused]] const ssize_t written = system_fails(ENOSPC) ? -1 : ::write(notes, line, used);
  ::close(notes);
}

bool was_written_before(const char* name) noexcept {
  char real[PATH_MAX + 2];
  real[0] = '\t';
  const int notes = environment().notes.empty() || !realpath(name, real + 1) ? -1 : open_notes(O_RDONLY);
  if (notes < 0) return false;
  std::strcat(real, "\n");
  const std::size_t length = std::strlen(real);
  char room[4 * PATH_MAX];
  std::size_t used = 0;
  bool found = false;
  for (ssize_t got; !found && (got = read(notes, room + used, sizeof room - used)) > 0;) {
    used += static_cast<std::size_t>(got);
    found = memmem(room, used, real, length) != nullptr;
    const std::size_t kept = std::min(used, length);
    std::memmove(room, room + used - kept, kept);
    used = kept;
  }
  ::close(notes);
  return found;
}

}  // namespace cadastre::internal
