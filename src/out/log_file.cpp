// Tangled from org/out/log_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/log_file.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace cadastre::internal {

namespace {

// Opens the log file; -1 where none is named or it cannot be opened.
int open_notes(int flags) noexcept {
  const std::string& name = environment().notes;
  return name.empty() || system_fails(EMFILE) ? -1 : ::open(name.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

// A line of pieces, which is written at once without a copy: a process may end on a small stack.
class Pieces {
 public:
  void add(std::string_view text) noexcept {
    if (count_ < most) pieces_[count_++] = {const_cast<char*>(text.data()), text.size()};
  }
  // With a question mark for each control character.
  void add_shown(std::string_view text) noexcept {
    while (true) {
      const auto* const control = std::find_if(text.begin(), text.end(), [](char c) { return is_control(c); });
      const auto before = static_cast<std::size_t>(control - text.begin());
      add(text.substr(0, before));
      if (before == text.size()) return;
      add("?");
      text.remove_prefix(before + 1);
    }
  }
  ssize_t write(int descriptor) noexcept {
    pieces_[count_] = {const_cast<char*>("\n"), 1};
    return writev(descriptor, pieces_, count_ + 1);
  }

 private:
  static constexpr int most = 40;
  iovec pieces_[most + 1];
  int count_ = 0;
};

}  // namespace

void write_note(const char* kind, const char* variable, const char* text) noexcept {
  const int notes = open_notes(O_WRONLY | O_APPEND | O_CREAT);
  if (notes < 0) return;
  char process[24];
  std::snprintf(process, sizeof process, "\t%lld\t", static_cast<long long>(process_id()));
  Pieces line;
  for (const std::string_view piece :
       {std::string_view(kind), std::string_view("\t"), std::string_view(variable), std::string_view(process)})
    line.add(piece);
  line.add_shown(text);
  const NoWriteSignal held;
  [[maybe_unused]] const ssize_t written = system_fails(ENOSPC) ? -1 : line.write(notes);
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
