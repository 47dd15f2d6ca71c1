// Tangled from org/command/top.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "top.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "black_box.hpp"
#include "black_box_report.hpp"
#include "statistics.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

struct Boxes {
  std::vector<BlackBox> running;
  std::size_t others = 0;  // of processes that are gone
};

Boxes boxes_in(const std::vector<std::string>& folders) {
  Boxes boxes;
  for (const std::string& folder : folders) {
    for (const std::string& path : black_boxes_in(folder)) {
      try {
        BlackBox box = read_black_box(path);
        box.is_written ? boxes.running.push_back(std::move(box)) : void(++boxes.others);
      } catch (const BlackBoxError&) {
      }
    }
  }
  std::stable_sort(boxes.running.begin(), boxes.running.end(), [](const BlackBox& a, const BlackBox& b) { return a.live() > b.live(); });
  return boxes;
}

std::string table_of(const Boxes& all) {
  const std::vector<BlackBox>& boxes = all.running;
  const std::string gone = all.others == 0 ? ""
                                           : grouped(static_cast<std::int64_t>(all.others)) +
                                                 " of processes that are gone; cadastre report --blackbox shows them.\n";
  if (boxes.empty()) return "No process runs with a black box there; CADASTRE_BLACKBOX=auto makes one.\n" + gone;
  Table table("rlrrrrrll");
  table.add({"process", "rank", "live", "peak", "resident", "host offers", "refused", "most by label", "program"});
  std::uint64_t live = 0, peak = 0, resident = 0;
  for (const BlackBox& box : boxes) {
    const std::uint64_t own_resident = box.last ? box.last->resident : 0;
    live += box.live();
    peak += box.figures.most_together;
    resident += own_resident;
    table.add({std::to_string(box.process), printable(box.rank), in_bytes(box.live()), in_bytes(box.figures.most_together),
               in_bytes(own_resident), in_bytes(box.capacity), std::to_string(box.figures.refusals), printable(first_holder(box), 40),
               printable(box.program.substr(box.program.rfind('/') + 1))});
  }
  if (boxes.size() > 1) table.add({"all", "", in_bytes(live), in_bytes(peak), in_bytes(resident), "", "", "", ""});
  return table.text() + gone;
}

void write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  throw std::runtime_error(std::string("cannot write to the standard output: ") + std::strerror(errno));
}

}  // namespace

void show_top(const TopOptions& options) {
  const bool on_terminal = isatty(STDOUT_FILENO) != 0;
  const int iterations = options.iterations > 0 ? options.iterations : on_terminal ? 0 : 1;
  for (int done = 1;; ++done) {
    const std::string table = table_of(boxes_in(options.folders));
    write(on_terminal ? "\x1b[H\x1b[2J" + table : table);
    if (done == iterations) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.delay));
  }
}

}  // namespace cadastre::command
