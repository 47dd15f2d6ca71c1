// Tangled from org/command/trace_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_report.hpp"

#include <algorithm>

namespace cadastre::command {
namespace {

struct Form {
  const char* name;
  std::string (*write)(const Traces& traces, bool utf8);
  std::string (*write_comparison)(const Comparison& comparison, bool utf8) = nullptr;  // none: not in this form
  bool needs_timeline = false;
  const char* (*why_unavailable)() = nullptr;
};

constexpr Form forms[] = {
    {"text", as_text, comparison_as_text},
    {"json", as_json, comparison_as_json},
    {"csv", as_csv, comparison_as_csv},
    {"folded", as_folded},
    {"html", as_html, nullptr, true, why_no_page},
    {"perfetto", as_perfetto, nullptr, true},
};

const Form& form_of(std::string_view format) {
  return *std::find_if(std::begin(forms), std::end(forms), [=](const Form& one) { return one.name == format; });
}

}  // namespace

std::vector<std::string> report_formats() {
  std::vector<std::string> names;
  for (const Form& form : forms) names.emplace_back(form.name);
  return names;
}

std::string report_on(const Traces& traces, std::string_view format, bool utf8) { return form_of(format).write(traces, utf8); }

bool needs_timeline(std::string_view format) { return form_of(format).needs_timeline; }

const char* why_unavailable(std::string_view format) {
  const Form& form = form_of(format);
  return form.why_unavailable ? form.why_unavailable() : nullptr;
}

std::vector<std::string> comparison_formats() {
  std::vector<std::string> names;
  for (const Form& form : forms) {
    if (form.write_comparison) names.emplace_back(form.name);
  }
  return names;
}

std::string report_on(const Comparison& comparison, std::string_view format, bool utf8) {
  return form_of(format).write_comparison(comparison, utf8);
}

std::string place_of(std::size_t type, const std::string& device) {
  return name_of_type(type) + (device.empty() ? "" : " " + printable(device));
}

std::string place_of(const Summary& summary, const LabelSummary& label) {
  return place_of(static_cast<std::size_t>(label.type), summary.has_several_devices() ? label.device : "");
}

std::vector<const LabelSummary*> largest_first(const Summary& summary, Amount LabelSummary::* amount) {
  std::vector<const LabelSummary*> labels;
  for (const LabelSummary& label : summary.labels) {
    if ((label.*amount).blocks > 0) labels.push_back(&label);
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [=](const LabelSummary* a, const LabelSummary* b) { return (a->*amount).bytes > (b->*amount).bytes; });
  return labels;
}

}  // namespace cadastre::command
