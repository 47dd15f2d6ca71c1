// Tangled from org/base/capacity.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/capacity.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>

#include "base/non_copyable.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace cadastre::internal {
namespace {

class Lines : NonCopyable {
 public:
  Lines(const char* file, HostLook::File& room) noexcept
      : file_(open(file, O_RDONLY | O_CLOEXEC)), error_(file_ < 0 ? errno : 0), room_(room.lines) {}
  ~Lines() {
    if (file_ >= 0) close(file_);
  }

  // The next line, valid until the next call; null at the end, or after an error. A line that has no place is left out.
  char* next() noexcept {
    while (true) {
      while (!std::memchr(room_ + begin_, '\n', end_ - begin_) && fill()) {
      }
      if (begin_ == end_) return nullptr;
      char* const line = room_ + begin_;
      auto* const newline = static_cast<char*>(std::memchr(line, '\n', end_ - begin_));
      const bool cut = !newline && end_ == size, is_rest = in_long_line_;
      begin_ = newline ? static_cast<std::size_t>(newline + 1 - room_) : end_;
      *(newline ? newline : room_ + end_) = '\0';
      in_long_line_ = cut;
      if (!cut && !is_rest) return line;
      left_out_ = true;
    }
  }

  // Why it was not read to its end; 0 if it was.
  int error() const noexcept { return error_; }
  bool left_out() const noexcept { return left_out_; }

 private:
  // Reads more behind what is there. False at the end, after an error, and where there is no place.
  bool fill() noexcept {
    std::memmove(room_, room_ + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (file_ < 0 || end_ == size) return false;
    ssize_t length;
    do length = read(file_, room_ + end_, size - end_);
    while (length < 0 && errno == EINTR);
    if (length < 0) error_ = errno;
    if (length <= 0) return false;
    end_ += static_cast<std::size_t>(length);
    return true;
  }

  static constexpr std::size_t size = sizeof HostLook::File::lines - 1;
  int file_, error_;
  bool in_long_line_ = false, left_out_ = false;
  std::size_t begin_ = 0, end_ = 0;
  char* const room_;
};

// Made of parts; its last part can be changed.
class Path : NonCopyable {
 public:
  explicit Path(HostLook::File& room) noexcept : characters_(room.path) {}

  // False if it is too long; the path is then empty.
  bool set(std::initializer_list<std::string_view> parts) noexcept {
    folder_ = 0;
    for (const std::string_view part : parts) {
      if (!append(folder_, part)) return false;
      folder_ += part.size();
    }
    return true;
  }
  // The file of that name in what was set; an empty text if the path is too long.
  const char* file(const char* name) noexcept { return append(folder_, "/") && append(folder_ + 1, name) ? characters_ : ""; }
  const char* text() const noexcept { return characters_; }

 private:
  bool append(std::size_t at, std::string_view part) noexcept {
    const bool fits = part.size() < sizeof HostLook::File::path - at;
    if (fits) part.copy(characters_ + at, part.size());
    characters_[fits ? at + part.size() : 0] = '\0';
    return fits;
  }

  std::size_t folder_ = 0;
  char* const characters_;
};

// The number that a text begins with.
std::optional<std::uint64_t> number_in(std::string_view text) noexcept {
  const std::optional<std::uint64_t> number = take_number(text);
  return text.empty() || text.front() == ' ' ? number : std::nullopt;
}

// Ends the word that a text begins with, and skips the blank behind it.
char* take_word(char*& text) noexcept {
  char* const word = text;
  text += std::strcspn(text, " ");
  if (*text) *text++ = '\0';
  return word;
}

// The number behind a word that begins a line, and blanks.
std::optional<std::uint64_t> number_behind(const char* line, const char* word) noexcept {
  const std::size_t length = std::strlen(word);
  return std::strncmp(line, word, length) == 0 ? number_in(line + length + std::strspn(line + length, " \t")) : std::nullopt;
}

template <std::size_t size>
void show_end(std::string_view path, char (&room)[size]) noexcept {
  constexpr std::string_view dots = "...";
  std::size_t length = 0;
  show(path, [&](std::string_view piece) { length += piece.size(); });
  const std::size_t skipped = length < size ? 0 : length - (size - 1 - dots.size());
  std::size_t seen = 0, used = 0;
  if (skipped > 0) used = dots.copy(room, dots.size());
  show(path, [&](std::string_view piece) {
    seen += piece.size();
    if (seen - piece.size() >= skipped) used += piece.copy(room + used, piece.size());
  });
  room[used] = '\0';
}

// Says that a file is of no use; the first one is kept.
void doubt(HostCapacity& capacity, const char* file, const char* problem) noexcept {
  if (capacity.doubt[0] != '\0') return;
  char name[161];
  show_end(file, name);
  std::snprintf(capacity.doubt, sizeof capacity.doubt, "%s %s", name, problem);
}

void doubt(HostCapacity& capacity, const char* file, int error) noexcept {
  char problem[64];
  std::snprintf(problem, sizeof problem, "cannot be read: error number %d", error);
  doubt(capacity, file,
        error == EACCES || error == EPERM ? "cannot be read: permission denied"
        : error == ENOENT                 ? "does not exist"
                                          : problem);
}

void read_ram(HostLook& look) noexcept {
  HostCapacity& capacity = look.capacity;
  Path file(look.other);
  if (file.set({look.root, "/proc/meminfo"})) {
    Lines lines(file.text(), look.other);
    const auto read = [](const char* line, const char* name, std::optional<std::uint64_t>& bytes) {
      constexpr std::uint64_t kibibyte = 1024, most = std::numeric_limits<std::uint64_t>::max() / kibibyte;
      const std::optional<std::uint64_t> number = number_behind(line, name);
      if (number && *number > 0 && *number <= most) bytes = *number * kibibyte;
    };
    while (const char* const line = lines.next()) {
      read(line, "MemTotal:", capacity.ram);
      read(line, "MemAvailable:", capacity.available);
    }
  }
  const long pages = capacity.ram || *look.root ? 0 : sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) capacity.ram = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

// A number of pages of this process: the first is of what is mapped, the second of what is resident. A handler of signals may ask, and has a small stack.
std::optional<std::size_t> bytes_of_process(const char* root, int skipped) noexcept {
  char name[256], line[128];
  constexpr std::string_view file_of_pages = "/proc/self/statm";
  const std::string_view before(root);
  if (before.size() + file_of_pages.size() >= sizeof name) return std::nullopt;
  name[before.copy(name, before.size()) + file_of_pages.copy(name + before.size(), file_of_pages.size())] = '\0';
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? -1 : read(file, line, sizeof line - 1);
  if (file >= 0) close(file);
  if (got <= 0) return std::nullopt;
  line[got] = '\0';
  char* rest = line;
  for (; skipped > 0; --skipped) take_word(rest);
  const std::optional<std::uint64_t> pages = number_in(rest);
  const long page = sysconf(_SC_PAGESIZE);
  std::size_t bytes = 0;
  if (!pages || page <= 0 || __builtin_mul_overflow(*pages, static_cast<std::size_t>(page), &bytes)) return std::nullopt;
  return bytes;
}

void read_address_space(HostLook& look) noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  look.capacity.address_space = limit.rlim_cur;
  look.capacity.mapped = bytes_of_process(look.root, 0);
}

struct Version {
  bool unified;
  const char* limits[2];
  const char* used;
  const char* given_up_first;  // a line of memory.stat
};

constexpr Version older{false, {"memory.limit_in_bytes", nullptr}, "memory.usage_in_bytes", "total_inactive_file "};
constexpr Version newer{true, {"memory.max", "memory.high"}, "memory.current", "inactive_file "};
constexpr std::uint64_t beyond_any_memory = std::uint64_t{1} << 60;

std::optional<std::uint64_t> first_number_in(const char* file, HostLook& look) noexcept {
  Lines lines(file, look.other);
  const char* const line = lines.next();
  return line ? number_in(line) : std::nullopt;
}

// No limit is none; one that cannot be read, or makes no sense, is doubted.
std::optional<std::uint64_t> limit_in(const char* file, HostLook& look) noexcept {
  Lines lines(file, look.other);
  const char* const line = lines.next();
  if (!line && (lines.error() == ENOENT || lines.error() == ENOTDIR)) return std::nullopt;
  if (!line && lines.error() != 0) {
    doubt(look.capacity, file, lines.error());
    return std::nullopt;
  }
  const std::optional<std::uint64_t> bytes = line ? number_in(line) : std::nullopt;
  if (bytes && *bytes >= beyond_any_memory) return std::nullopt;
  if (bytes && *bytes > 0) return bytes;
  if (!line || std::strcmp(line, "max") != 0) doubt(look.capacity, file, "has neither a size nor \"max\"");
  return std::nullopt;
}

void narrow(std::uint64_t bytes, std::string_view group, const char* file, HostCapacity& capacity) noexcept {
  if (capacity.group && bytes >= capacity.group->bytes) return;
  GroupLimit& limit = capacity.group ? *capacity.group : capacity.group.emplace();
  limit.bytes = bytes;
  limit.used.reset();
  show_end(group, limit.group);
  std::snprintf(limit.file, sizeof limit.file, "%s", file);
}

std::optional<std::uint64_t> used_by_group(const Version& version, Path& folder, HostLook& look) noexcept {
  const std::optional<std::uint64_t> used = first_number_in(folder.file(version.used), look);
  if (!used) return std::nullopt;
  Lines lines(folder.file("memory.stat"), look.other);
  while (const char* const line = lines.next()) {
    if (const std::optional<std::uint64_t> bytes = number_behind(line, version.given_up_first)) return *used - std::min(*used, *bytes);
  }
  return used;
}

// folder: of the group.
void read_group(const Version& version, Path& folder, std::string_view group, HostLook& look) noexcept {
  HostCapacity& capacity = look.capacity;
  bool narrows = false;
  for (const char* const name : version.limits) {
    const char* const file = name ? folder.file(name) : nullptr;
    const std::optional<std::uint64_t> bytes = file ? limit_in(file, look) : std::nullopt;
    if (!bytes || (capacity.group && *bytes >= capacity.group->bytes)) continue;
    narrow(*bytes, group, file, capacity);
    narrows = true;
  }
  if (narrows) capacity.group->used = used_by_group(version, folder, look);
}

struct Mount {
  std::string_view shown;  // of the hierarchy
  std::string_view point;
};

// The path of a group below a mount; nothing if the mount does not show the group.
std::optional<std::string_view> path_below(std::string_view shown, std::string_view path) noexcept {
  if (shown != "/") {
    if (!path.starts_with(shown) || (path.size() > shown.size() && path[shown.size()] != '/')) return std::nullopt;
    path.remove_prefix(shown.size());
  }
  if (path == "/.." || path.starts_with("/../")) return std::nullopt;
  return path == "/" ? std::string_view() : path;
}

// What the kernel says of a group of version 1 and all around it, mounted or not.
void read_effective_limit(Path& folder, std::string_view group, HostLook& look) noexcept {
  Lines lines(folder.file("memory.stat"), look.other);
  while (const char* const line = lines.next()) {
    const std::optional<std::uint64_t> bytes = number_behind(line, "hierarchical_memory_limit ");
    if (bytes && *bytes > 0 && *bytes < beyond_any_memory) narrow(*bytes, group, folder.text(), look.capacity);
  }
}

// Whether a group of version 1 bounds those in it.
bool bounds_others(Path& folder, HostLook& look) noexcept {
  return first_number_in(folder.file("memory.use_hierarchy"), look) != std::uint64_t{0};
}

// From a group to the top of what a mount shows. below: its path there, the end of its name.
void read_upwards(const Version& version, const Mount& mount, std::string_view group, std::string_view below, HostLook& look) noexcept {
  Path folder(look.other);
  for (bool own = true;; own = false) {
    if (!folder.set({look.root, mount.point, below})) {
      doubt(look.capacity, "the path of the control group", "is too long");
    } else if (!own && !version.unified && !bounds_others(folder, look)) {
      return;
    } else {
      const std::string_view name = group.empty() ? "/" : group;
      read_group(version, folder, name, look);
      if (own && !version.unified) read_effective_limit(folder, name, look);
    }
    if (below.empty()) return;
    const std::size_t last = below.size() - below.find_last_of('/');
    below.remove_suffix(last);
    group.remove_suffix(last);
  }
}

bool lists(const char* words, std::string_view word) noexcept {
  for (const char* end; *words; words = *end ? end + 1 : end) {
    end = words + std::strcspn(words, ",");
    if (std::string_view(words, end) == word) return true;
  }
  return false;
}

std::string_view unescaped(char* text) noexcept {
  char* end = text;
  for (const char* from = text; *from; ++end) {
    unsigned code = 0;
    const bool escape = *from == '\\' && std::strspn(from + 1, "01234567") >= 3;
    if (escape) std::from_chars(from + 1, from + 4, code, 8);
    *end = escape ? static_cast<char>(code) : *from;
    from += escape ? 4 : 1;
  }
  return {text, end};
}

// The mount that a line describes, if it is one of a hierarchy that may have memory.
std::optional<Mount> mount_in(char* line, const Version& version) noexcept {
  constexpr int fields_before = 3;
  for (int i = 0; i < fields_before; ++i) take_word(line);
  char* const shown = take_word(line);
  char* const point = take_word(line);
  while (*line && std::strcmp(take_word(line), "-") != 0) {
  }
  const char* const type = take_word(line);
  take_word(line);
  const bool fits =
      version.unified ? std::strcmp(type, "cgroup2") == 0 : std::strcmp(type, "cgroup") == 0 && lists(take_word(line), "memory");
  if (!fits || *shown != '/' || *point != '/') return std::nullopt;
  return Mount{unescaped(shown), unescaped(point)};
}

// Reads the limits of a group wherever a mount shows it. False if there is no mount of its hierarchy.
bool read_hierarchy(const Version& version, std::string_view group, HostLook& look) noexcept {
  Path file(look.mounts);
  if (!file.set({look.root, "/proc/self/mountinfo"})) return false;
  bool mounted = false;
  for (const bool only_top : {false, true}) {
    Lines lines(file.text(), look.mounts);
    bool shows = false;
    while (char* const line = lines.next()) {
      const std::optional<Mount> mount = mount_in(line, version);
      if (!mount) continue;
      mounted = true;
      const std::optional<std::string_view> below = path_below(mount->shown, group);
      if (only_top) {
        read_upwards(version, *mount, mount->shown, {}, look);
      } else if (below) {
        shows = true;
        read_upwards(version, *mount, group, *below, look);
      }
    }
    if (lines.error() != 0) doubt(look.capacity, file.text(), lines.error());
    if (shows || !mounted) return mounted;
  }
  char name[161], problem[256];
  show_end(group, name);
  std::snprintf(problem, sizeof problem, "does not show the control group %s of this process", name);
  doubt(look.capacity, "/proc/self/mountinfo", problem);
  return true;
}

void read_groups(HostLook& look) noexcept {
  HostCapacity& capacity = look.capacity;
  Path file(look.groups);
  if (!file.set({look.root, "/proc/self/cgroup"})) return;
  Lines lines(file.text(), look.groups);
  bool grouped = false, mounted = false;
  while (char* const line = lines.next()) {
    char* const controllers = line + std::strcspn(line, ":");
    char* const group = *controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!group || group[1] != '/') continue;
    *group = '\0';
    const bool unified = controllers[1] == '\0';
    if (!unified && !lists(controllers + 1, "memory")) continue;
    grouped = true;
    if (read_hierarchy(unified ? newer : older, group + 1, look)) mounted = true;
  }
  if (lines.error() != 0) doubt(capacity, file.text(), lines.error());
  if (lines.left_out()) doubt(capacity, file.text(), "has a line that is too long");
  if (grouped && !mounted) doubt(capacity, file.text(), "names a control group, and no file system of control groups is mounted");
}

void choose(HostCapacity& capacity) noexcept {
  using Bound = HostCapacity::Bound;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  const auto bound = [&](std::uint64_t bytes, Bound by) {
    if (bytes >= least) return;
    least = bytes;
    capacity.by = by;
  };
  if (capacity.ram) bound(*capacity.ram, Bound::ram);
  if (capacity.group) bound(capacity.group->bytes, Bound::control_group);
  if (capacity.address_space) bound(*capacity.address_space, Bound::address_space);
  if (capacity.by != Bound::unknown) capacity.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(least, SIZE_MAX));
  std::memcpy(capacity.why, text_of(capacity.by, capacity.bytes, capacity).characters, sizeof capacity.why);
}

}  // namespace

BoundText text_of(HostCapacity::Bound by, std::uint64_t bytes, const HostCapacity& capacity) noexcept {
  BoundText text{};
  std::size_t used = 0;
  const auto append = [&](std::string_view piece) { used += piece.copy(text.characters + used, sizeof text.characters - 1 - used); };
  if (by == HostCapacity::Bound::unknown) return append("unknown: the system reports neither RAM nor a limit"), text;
  append(bytes_text(bytes).characters);
  switch (by) {
    case HostCapacity::Bound::unknown: break;
    case HostCapacity::Bound::ram: append(", the RAM of this machine"); break;
    case HostCapacity::Bound::control_group: {
      const bool throttles = std::string_view(capacity.group->file).ends_with("/memory.high");
      append(throttles ? ", beyond which the control group " : ", which the control group ");
      append(capacity.group->group);
      append(throttles ? " is throttled" : " allows");
      break;
    }
    case HostCapacity::Bound::address_space: append(", the limit of the address space of this process (ulimit -v)"); break;
  }
  return text;
}

HostUses uses_of_host(const HostCapacity& capacity) noexcept {
  using Bound = HostCapacity::Bound;
  HostUses uses{};
  if (capacity.ram && capacity.available) {
    uses[0] = {Bound::ram, *capacity.ram - std::min(*capacity.ram, *capacity.available), *capacity.ram};
  }
  if (capacity.group && capacity.group->used) uses[1] = {Bound::control_group, *capacity.group->used, capacity.group->bytes};
  if (capacity.address_space && capacity.mapped) uses[2] = {Bound::address_space, *capacity.mapped, *capacity.address_space};
  return uses;
}

HostCapacity host_capacity(const char* root) noexcept {
  HostLook look;
  return host_capacity(look, root);
}

const HostCapacity& host_capacity(HostLook& look, const char* root) noexcept {
  const KeptErrno kept;
  look.root = root;
  std::construct_at(&look.capacity);  // an assignment takes a second one
  read_ram(look);
  read_address_space(look);
  read_groups(look);
  choose(look.capacity);
  return look.capacity;
}

std::optional<std::size_t> resident_bytes(const char* root) noexcept {
  const KeptErrno kept;
  return bytes_of_process(root, 1);
}

}  // namespace cadastre::internal
