// Tangled from org/machine.org; change the chapter, then run: make tangle
#include "machine.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace cadastre::command {
namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || (rest != end && *rest != '\n' && *rest != ' ')) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> number_of(const std::string& file) {
  std::ifstream stream(file);
  std::string word;
  return stream >> word ? number_in(word) : std::nullopt;
}

void read_total(const std::string& root, MachineMemory& memory) {
  std::ifstream stream(root + "/proc/meminfo");
  for (std::string line; std::getline(stream, line);) {
    for (const std::string_view name : {"MemTotal:", "MemAvailable:"}) {
      if (!line.starts_with(name)) continue;
      const std::size_t digits = line.find_first_of("0123456789");
      if (digits == std::string::npos) continue;
      const auto kibibytes = number_in(std::string_view(line).substr(digits));
      if (kibibytes) (name == "MemTotal:" ? memory.total : memory.available) = *kibibytes * 1024;
    }
  }
}

struct Mount {
  std::string shown;  // of the hierarchy
  std::string point;
};

// Blanks and the like are written as three octal digits behind a backslash.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const bool escape = text[i] == '\\' && i + 3 < text.size() &&
                        std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr == text.data() + i + 4;
    result += escape ? static_cast<char>(code) : text[i];
    if (escape) i += 3;
  }
  return result;
}

std::optional<Mount> mount_of(const std::string& root, bool unified) {
  std::ifstream stream(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    std::size_t hyphen = 6;
    while (hyphen < fields.size() && fields[hyphen] != "-") ++hyphen;
    if (hyphen + 3 >= fields.size()) continue;
    const bool serves = unified ? fields[hyphen + 1] == "cgroup2"
                                : fields[hyphen + 1] == "cgroup" && ("," + fields[hyphen + 3] + ",").find(",memory,") != std::string::npos;
    if (serves) return Mount{unescaped(fields[3]), unescaped(fields[4])};
  }
  return std::nullopt;
}

void narrow(const std::string& root, bool unified, std::string path, std::optional<GroupLimit>& limit) {
  constexpr std::uint64_t beyond_any_memory = std::uint64_t{1} << 60;
  const std::optional<Mount> mount = mount_of(root, unified);
  if (!mount) return;
  const bool below = mount->shown != "/" && path.starts_with(mount->shown) &&
                     (path.size() == mount->shown.size() || path[mount->shown.size()] == '/');
  if (below) path.erase(0, mount->shown.size());
  if (path.starts_with("/..") || (!below && mount->shown != "/")) path.clear();  // out of sight
  while (true) {
    while (path.ends_with('/')) path.pop_back();
    const std::string group = root + mount->point + path + "/";
    const std::string file = group + (unified ? "memory.max" : "memory.limit_in_bytes");
    const std::optional<std::uint64_t> bytes = number_of(file);
    if (bytes && *bytes < beyond_any_memory && (!limit || *bytes < limit->bytes)) {
      limit = GroupLimit{*bytes, file, number_of(group + (unified ? "memory.current" : "memory.usage_in_bytes"))};
    }
    if (path.empty()) return;
    path.erase(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  }
}

}  // namespace

MachineMemory machine_memory(const std::string& root) {
  MachineMemory memory;
  read_total(root, memory);
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",", path = line.substr(second + 1);
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",memory,") == std::string::npos) continue;
    narrow(root, unified, path, memory.limit);
  }
  return memory;
}

}  // namespace cadastre::command
