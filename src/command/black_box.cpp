// Tangled from org/command/black_box.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "black_box.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/user_folder.hpp"
#include "out/black_box_life.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

using namespace internal;

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : name_(printable(path, 4096)), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (!descriptor_) refuse(std::strerror(errno));
  }
  [[noreturn]] void refuse(const std::string& what) const { throw BlackBoxError(name_ + ": " + what); }
  int number() const { return descriptor_.number(); }

  // Those that the file has; the others are 0.
  std::unique_ptr<BlackBoxPages> pages() const {
    auto pages = std::make_unique<BlackBoxPages>();
    char* const bytes = reinterpret_cast<char*>(pages.get());
    for (std::size_t used = 0; used < sizeof *pages;) {
      const ssize_t got = pread(number(), bytes + used, sizeof *pages - used, static_cast<off_t>(used));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse(std::strerror(errno));
      if (got == 0) break;
      used += static_cast<std::size_t>(got);
    }
    return pages;
  }

 private:
  std::string name_;
  Descriptor descriptor_;
};

void admit(const OpenFile& file, const BlackBoxHead& head) {
  struct stat status{};
  if (std::memcmp(head.magic, black_box_magic, sizeof head.magic) != 0) {
    file.refuse("this is no black box, or its process was killed while it began it; CADASTRE_BLACKBOX makes one");
  }
  if (head.byte_order != black_box_byte_order) file.refuse("the black box is of a machine with another order of bytes; read it there");
  if (head.version != black_box_version || head.bytes != sizeof(BlackBoxPages)) {
    file.refuse("the black box has version " + std::to_string(head.version) + " of its format, and this program reads version " +
                std::to_string(black_box_version) + "; read it with the cadastre that the program's library came with");
  }
  if (fstat(file.number(), &status) != 0 || static_cast<std::uint64_t>(status.st_size) < sizeof(BlackBoxPages)) {
    file.refuse("the black box is cut off, at " + std::to_string(status.st_size) + " of " + std::to_string(sizeof(BlackBoxPages)) +
                " bytes; copy it again");
  }
}

bool is_whole(std::uint64_t sequence, std::uint64_t later) { return sequence != 0 && sequence == later; }

std::optional<BlackBoxHolders> newest(const BlackBoxHolders (&both)[2], const BlackBoxHolders (&later)[2]) {
  const BlackBoxHolders* found = nullptr;
  for (int i = 0; i < 2; ++i) {
    if (is_whole(both[i].sequence, later[i].sequence) && (!found || both[i].sequence > found->sequence)) found = &both[i];
  }
  if (!found) return std::nullopt;
  std::optional<BlackBoxHolders> holders = *found;
  holders->number = std::min<std::uint64_t>(holders->number, most_black_box_holders);
  return holders;
}

const BlackBoxEvent& event_of(const BlackBoxEvent& event) { return event; }
const BlackBoxEvent& event_of(const BlackBoxRefusal& refusal) { return refusal.event; }

// Those that are whole, in the order of their places.
std::vector<BlackBoxUse> uses_in(const BlackBoxFigures& figures, const BlackBoxFigures& later) {
  std::vector<BlackBoxUse> whole;
  for (std::size_t i = 0; i < black_box_uses; ++i) {
    if (is_whole(figures.uses[i].sequence, later.uses[i].sequence)) whole.push_back(figures.uses[i]);
  }
  return whole;
}

template <class Entry, std::size_t room>
std::vector<Entry> in_order(const Entry (&entries)[room], const Entry (&later)[room]) {
  std::vector<Entry> whole;
  for (std::size_t i = 0; i < room; ++i) {
    if (is_whole(event_of(entries[i]).sequence, event_of(later[i]).sequence)) whole.push_back(entries[i]);
  }
  std::sort(whole.begin(), whole.end(), [](const Entry& a, const Entry& b) { return event_of(a).sequence < event_of(b).sequence; });
  return whole;
}

}  // namespace

std::uint64_t BlackBox::live() const noexcept {
  std::uint64_t sum = 0;
  for (const BlackBoxBytes& bytes : figures.of) sum += bytes.live;
  return sum;
}

BlackBox read_black_box(const std::string& path) {
  const OpenFile file(path);
  const std::unique_ptr<BlackBoxPages> pages = file.pages(), later = file.pages();
  const BlackBoxHead& head = pages->head;
  admit(file, head);
  BlackBox box;
  box.path = path;
  box.library = text_in(head.library);
  box.host = text_in(head.host);
  box.rank = text_in(head.rank);
  box.program = text_in(head.program);
  box.capacity_from = text_in(head.capacity_from);
  box.process = head.process;
  box.capacity = head.capacity;
  box.began = head.began;
  box.is_written = is_black_box_written(head, file.number());
  box.figures = pages->figures;
  box.last = newest(pages->last, later->last);
  box.at_peak = newest(pages->at_peak, later->at_peak);
  box.uses = uses_in(pages->figures, later->figures);
  box.refusals = in_order(pages->refusals, later->refusals);
  box.events = in_order(pages->events, later->events);
  return box;
}

std::vector<std::string> black_boxes_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_black_box_name(name)) paths.push_back(entry->path().string());
  }
  if (error) throw BlackBoxError(printable(folder, 4096) + ": " + error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> usual_folders() {
  const char* const named = std::getenv("CADASTRE_BLACKBOX");
  if (named && *named && std::strcmp(named, "auto") != 0) return {named};
  std::vector<std::string> folders;
  for (const char* const place : places_of_user_folders([](const char* name) { return std::getenv(name); })) {
    if (!*place) continue;
    const std::string folder = std::string(place) + "/" + UserFolderName(black_box_folder).characters;
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) folders.push_back(folder);
  }
  return folders;
}

}  // namespace cadastre::command
