// Tangled from org/command/removed_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "removed_traces.hpp"

#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "files.hpp"
#include "out/highest_format.hpp"
#include "statistics.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

// Empty where it is none, or cannot be read.
std::string list_in(const std::string& path) {
  struct stat status{};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string title(internal::title_of_highest.size(), '\0');
  if (!file.read(title.data(), static_cast<std::streamsize>(title.size())) || title != internal::title_of_highest) return "";
  return title + std::string(std::istreambuf_iterator<char>(file), {});
}

void tell(const std::string& path, const internal::HighestTraces& all) {
  if (all.removed == 0) return;
  const bool is_one = all.removed == 1;
  const std::string peaks = is_one ? "; its peak was " + in_bytes(all.most)
                                   : "; their peaks were " + in_bytes(all.least) + " at least, " + in_bytes(all.sum / all.removed) +
                                         " in the mean and " + in_bytes(all.most) + " at most";
  complain(printable(path, 4096) + ": " + counted(static_cast<std::int64_t>(all.removed), "trace") + " with " +
           (is_one ? "a lower peak was" : "lower peaks were") + " removed, and " + (is_one ? "is" : "are") + " not in the report" + peaks);
}

}  // namespace

std::vector<std::string> without_lists(const std::vector<std::string>& paths) {
  std::vector<std::string> traces;
  for (const std::string& path : paths) {
    const std::string list = list_in(path);
    if (list.empty()) {
      traces.push_back(path);
    } else {
      tell(path, internal::read_highest(list));
    }
  }
  return traces;
}

}  // namespace cadastre::command
