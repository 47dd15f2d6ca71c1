// Tangled from org/command/trace_report_html.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "page_parts.hpp"
#include "trace_report.hpp"
#include "trace_series.hpp"

namespace cadastre::command {
namespace {

// So many have a series of their own in the page.
constexpr std::size_t most_labels = 250;

void add_number(std::string& bytes, std::uint64_t number) {
  for (; number >= 128; number /= 128) bytes += static_cast<char>(128 + number % 128);
  bytes += static_cast<char>(number);
}

void add_growth(std::string& bytes, std::int64_t growth) {
  add_number(bytes, growth < 0 ? 2 * static_cast<std::uint64_t>(-growth) - 1 : 2 * static_cast<std::uint64_t>(growth));
}

std::string in_base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
  }
  return text;
}

// What the page makes a timeline of.
nlohmann::json coded(const Timeline& timeline, const Series& series) {
  std::string bytes;
  std::vector<std::int64_t> live(series.labels().size());
  std::int64_t last = 0;
  std::size_t kept = 0;
  series.for_each_moment([&](std::int64_t time, const std::vector<LiveChange>& changes) {
    add_number(bytes, static_cast<std::uint64_t>(time - std::exchange(last, time)));
    add_number(bytes, changes.size());
    kept += changes.size();
    for (const LiveChange& change : changes) {
      const std::int64_t before = std::exchange(live[change.entry], change.live);
      add_number(bytes, change.entry);
      add_growth(bytes, change.live - before);
      add_number(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(change.most - std::max(before, change.live), 0)));
    }
  });
  return {{"moments", timeline.kept().moments.size()},
          {"kept", kept},
          {"added", timeline.added()},
          {"interval", timeline.interval()},
          {"data", in_base64(bytes)}};
}

std::string without_tags(const std::string& json) {
  std::string text;
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

std::string filled(std::string_view frame, const std::map<std::string, std::string, std::less<>>& parts) {
  std::string text;
  while (true) {
    const std::size_t begin = frame.find('@');
    text += frame.substr(0, begin);
    if (begin == frame.npos) return text;
    const std::size_t end = frame.find('@', begin + 1);
    text += parts.at(std::string(frame.substr(begin + 1, end - begin - 1)));
    frame.remove_prefix(end + 1);
  }
}

}  // namespace

const char* why_no_page() {
  return page_library.empty()
             ? "this build has no library that draws the page; install dygraphs (Debian: libjs-dygraphs), then configure and build again"
             : nullptr;
}

std::string as_html(const Traces& traces, bool utf8) {
  nlohmann::json timelines = nlohmann::json::array();
  std::vector<Summary> shown(traces.read.begin(), traces.read.end());
  for (Summary& summary : shown) {
    const Series series(summary, most_labels);
    timelines.push_back(coded(*summary.timeline, series));
    summary.labels = series.labels();
    summary.timeline.reset();
  }
  const std::string hashes = std::string(page_library_hash) + " " + std::string(page_script_hash);
  return filled(page_frame, {{"HASHES", hashes},
                             {"STYLE-HASH", std::string(page_style_hash)},
                             {"STYLE", std::string(page_style)},
                             {"REPORT", without_tags(as_json({shown, traces.unreadable}, utf8))},
                             {"TIMELINES", timelines.dump()},
                             {"LIBRARY", std::string(page_library)},
                             {"SCRIPT", std::string(page_script)}});
}

}  // namespace cadastre::command
