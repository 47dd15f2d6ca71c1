// Tangled from org/out/brief_report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/brief_report.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "config.h"
#include "base/accounting.hpp"
#include "base/atomic_ref.hpp"
#include "base/capacity.hpp"
#include "base/process.hpp"
#include "out/black_box.hpp"

namespace cadastre::internal {
namespace {

Composed<16> seconds(std::int64_t nanoseconds) noexcept {
  Composed<16> text;
  text << nanoseconds / 1'000'000'000 << "." << nanoseconds / 100'000'000 % 10 << " s";
  return text;
}

void write_heading(BriefReport& report, const BlackBoxHead& head, std::string_view occasion, std::int64_t now) noexcept {
  report << "Cadastre " << PACKAGE_VERSION << ", report: ";
  report << occasion << "\nprocess " << process_id() << " of ";
  report.shown(text_in(head.program)) << " on " << text_in(head.host);
  if (head.rank[0]) report << ", rank " << text_in(head.rank);
  report << ", " << time_text(time_now()).characters << ", " << seconds(now).text() << " after its first context; ";
  report << bytes_text(resident_bytes().value_or(0)).characters << " resident";
  if (head.capacity > 0) report << "; the host offers it " << text_in(head.capacity_from);
  report << "\n";
}

// Of what other threads change.
template <class Number>
Number value_of(const Number& number) noexcept {
  return AtomicRef(number).load(std::memory_order_acquire);
}

std::string_view limit_text(BytesText& text, std::uint64_t limit) noexcept {
  if (limit == CADASTRE_UNLIMITED) return "none";
  text = bytes_text(limit);
  return text.characters;
}

void write_row(BriefReport& report, std::string_view type, std::int64_t blocks, std::uint64_t live, std::uint64_t most, std::uint64_t kept,
               std::uint64_t limit, std::int64_t refused) noexcept {
  BytesText text;
  report.left(8, type).right(11, blocks);
  for (const std::uint64_t number : {live, most, kept}) report.right(13, bytes_text(number).characters);
  report.right(13, limit_text(text, limit)).right(11, refused) << "\n";
}

void write_figures(BriefReport& report, const BlackBoxFigures& figures) noexcept {
  report << "\nmemory of all contexts of the process; high-water is the maximum that was live in it at one time\n";
  report.left(8, "type").right(11, "blocks").right(13, "live").right(13, "high-water").right(13, "kept").right(13, "limit");
  report.right(11, "refused") << "\n";
  std::int64_t blocks = 0;
  std::uint64_t live = 0, kept = 0;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const SharedBytes& own = process_account().of(type);
    const std::int64_t refused = value_of(figures.of[type].refused);
    blocks += own.blocks();
    live += own.live();
    kept += own.kept();
    if (own.most_live() == 0 && own.kept() == 0 && refused == 0) continue;
    const std::uint64_t most = std::max(own.live(), own.most_live());  // which a thread raises later that has claimed bytes
    write_row(report, cadastre_string_of_memory_type(type), own.blocks(), own.live(), most, own.kept(), own.limit(), refused);
  }
  write_row(report, "together", blocks, live, std::max(live, value_of(figures.most_together)), kept,
            process_account().limit(CADASTRE_ALL_MEMORY_TYPES), static_cast<std::int64_t>(value_of(figures.refusals)));
}

void write_labels(BriefReport& report, const BlackBoxHolders& holders, std::int64_t now) noexcept {
  constexpr std::size_t most = 20;
  const std::uint64_t number = std::min<std::uint64_t>(holders.number, most_black_box_holders);
  report << "\n";
  report.right(12, "live").right(11, "blocks") << " ";
  report.left(10, "type") << "label, " << seconds(now - holders.time).text() << " ago\n";
  std::int64_t left_out = static_cast<std::int64_t>(holders.others);
  for (std::size_t i = 0; i < number; ++i) {
    const BlackBoxHolder& holder = holders.holder[i];
    if (i >= most) {
      left_out += static_cast<std::int64_t>(number - i);
      break;
    }
    report.right(12, bytes_text(static_cast<std::uint64_t>(holder.bytes)).characters).right(11, holder.blocks) << " ";
    report.left(10, cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(holder.type)));
    report.shown(holder.label[0] ? text_in(holder.label) : "(no label)") << "\n";
  }
  if (left_out > 0) report << "and " << left_out << " labels more\n";
}

void write_holders(BriefReport& report, const BlackBoxHolders (&both)[2], std::int64_t now) noexcept {
  const bool first_is_newer = value_of(both[0].sequence) > value_of(both[1].sequence);
  const BlackBoxHolders* const newer = &both[first_is_newer ? 0 : 1];
  const BlackBoxHolders* const older = &both[first_is_newer ? 1 : 0];
  for (const BlackBoxHolders* const holders : {newer, older}) {
    const std::uint64_t sequence = value_of(holders->sequence);
    if (sequence == 0) continue;
    const std::size_t before = report.text().size();
    write_labels(report, *holders, now);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (value_of(holders->sequence) == sequence) return;
    report.cut(before);
  }
}

void write_refusal(BriefReport& report, const BlackBoxPages& pages, std::int64_t now) noexcept {
  const std::uint64_t number = value_of(pages.figures.refusals);
  if (number == 0) return;
  const BlackBoxRefusal& refusal = pages.refusals[(number - 1) % black_box_refusals];
  if (value_of(refusal.event.sequence) != number) return;
  const std::size_t before = report.text().size();
  report << "\nthe last that was refused, " << seconds(now - refusal.event.time).text() << " ago: ";
  report.shown(text_in(refusal.said)) << "\n";
  std::atomic_thread_fence(std::memory_order_acquire);
  if (value_of(refusal.event.sequence) != number) report.cut(before);  // another one took its place meanwhile
}

}  // namespace

void compose(BriefReport& report, std::string_view occasion) noexcept {
  const BlackBoxPages& pages = *black_box_pages();
  const std::int64_t now = time_of_black_box();
  write_heading(report, pages.head, occasion, now);
  write_figures(report, pages.figures);
  write_holders(report, pages.last, now);
  write_refusal(report, pages, now);
  report << "\n";
}

}  // namespace cadastre::internal
