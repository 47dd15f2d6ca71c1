// Tangled from org/out/trace_moments.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/trace_moments.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/accounting.hpp"
#include "base/capacity.hpp"
#include "base/numa_nodes.hpp"
#include "base/places.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "context/due_work.hpp"
#include "out/near_limit.hpp"

namespace cadastre::internal {
namespace {

// What costs the system a walk over all pages; in nanoseconds of the processor.
struct Walk {
  std::int64_t spent = 0, took = 0;  // by all, by the last one
};

struct Moments {
  MomentWritten written = nullptr;
  BytesWatcher next_watcher = nullptr;  // that was there before
  DueWorker next_worker = nullptr;
  std::int64_t start = 0, last_time = 0;  // CLOCK_MONOTONIC
  std::int64_t spent = 0;                 // nanoseconds of the processor, but on these
  Walk huge_pages, nodes;
  bool has_several_nodes = false;
  // For who looks, lest it is on the stack of a thread of the program's.
  char text[2048] = "";
  BytesOnNodes on_nodes;
  std::atomic<std::uint64_t> most = 0, last = 0;  // bytes of all memory types that lived when most did, and at the last moment
  std::atomic<bool> is_due = false, is_looking = false;
  std::atomic<bool> is_fresh = false;  // the last moment was one of which more lived than ever
};
constinit Moments moments;

constexpr std::uint64_t least_step = 64 << 10;
std::uint64_t step_of(std::uint64_t live, std::uint64_t share) noexcept { return std::max(live / share, least_step); }

bool is_more_than_ever(std::uint64_t live) noexcept {
  const std::uint64_t most = moments.most.load(std::memory_order_relaxed);
  return live > most && live - most >= step_of(most, 64);
}
bool is_another(std::uint64_t live) noexcept {
  const std::uint64_t last = moments.last.load(std::memory_order_relaxed);
  return std::max(live, last) - std::min(live, last) >= step_of(last, 4);
}

std::int64_t time_of_moment() noexcept { return clock_of(CLOCK_MONOTONIC) - moments.start; }

// Whether what was spent fits into a share of the time.
bool is_affordable(std::int64_t spent) noexcept {
  constexpr std::int64_t share = 200, at_first = 1'000'000;
  return spent <= time_of_moment() / share + at_first;
}

bool is_time_for_another() noexcept {
  constexpr std::int64_t share = 256;
  const std::int64_t now = time_of_moment();
  return now - moments.last_time >= now / share && is_affordable(moments.spent);
}

// Of the resident memory; no figure where the system does not say.
std::uint64_t bytes_in_huge_pages() noexcept {
  const int file = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? -1 : read(file, moments.text, sizeof moments.text - 1);
  if (file >= 0) close(file);
  moments.text[std::max<ssize_t>(got, 0)] = '\0';
  constexpr char name[] = "\nAnonHugePages:";
  const char* const line = std::strstr(moments.text, name);
  return line ? std::strtoull(line + std::strlen(name), nullptr, 10) << 10 : no_trace_figure;
}

// look: walks.
template <class Look>
void look_if_affordable(Walk& walk, Look look) noexcept {
  if (!is_affordable(walk.spent + walk.took)) return;
  const std::int64_t before = clock_of(CLOCK_THREAD_CPUTIME_ID);
  look();
  walk.took = clock_of(CLOCK_THREAD_CPUTIME_ID) - before;
  walk.spent += walk.took;
}

void look_at_nodes() noexcept {
  if (!moments.has_several_nodes) return;
  bool are_read = false;
  look_if_affordable(moments.nodes, [&] {
    moments.on_nodes = {};
    are_read = read_bytes_on_nodes(moments.on_nodes, moments.text, sizeof moments.text);
  });
  for (std::size_t node = 0; are_read && node < BytesOnNodes::most; ++node) {
    if (const std::uint64_t bytes = moments.on_nodes.of(node)) moments.written({TraceKind::node, {node, bytes}});
  }
}

// on_devices: that are emulated.
void look_at_host(std::uint64_t on_devices) noexcept {
  std::uint64_t live = on_devices, kept = 0;
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED}) {
    live += process_account().of(type).live();
    kept += process_account().of(type).kept();
  }
  std::uint64_t huge = no_trace_figure;
  look_if_affordable(moments.huge_pages, [&] { huge = bytes_in_huge_pages(); });
  moments.written({TraceKind::resident, {resident_bytes().value_or(no_trace_figure), live, kept, huge}});
  look_at_nodes();
}

// Each once, though several contexts may have memory there.
struct Devices {
  std::array<TraceMoment, 16> all{};
  std::size_t count = 0;
  std::uint64_t emulated = 0;  // bytes that live on those of the host

  bool has(std::uint64_t word) const noexcept {
    return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count),
                       [=](const TraceMoment& one) { return one.figures[0] == word; });
  }
};

void look_at_device(void* whose, const DeviceInUse& device) noexcept {
  Devices& devices = *static_cast<Devices*>(whose);
  const std::uint64_t word = pack_halves(static_cast<std::uint32_t>(device.device), static_cast<std::uint32_t>(device.backend));
  if (devices.has(word) || devices.count == devices.all.size()) return;
  const bool is_emulated = device.backend == CADASTRE_BACKEND_HOST;
  devices.all[devices.count++] = {is_emulated ? TraceKind::none : TraceKind::device,
                                  {word, device.total - std::min(device.total, device.free), device.total, device.live}};
  if (is_emulated) devices.emulated += device.live;
}

constexpr std::uint8_t moment_is_due = 128;  // in work that is due, beside that of others

// Its caller may hold locks.
void notice(const SharedAccount& account, cadastre_memory_type type) noexcept {
  if (moments.next_watcher) moments.next_watcher(account, type);
  const std::uint64_t live = bytes_in_use().live;
  if (!is_more_than_ever(live) && !is_another(live) && !moments.is_fresh.load(std::memory_order_relaxed)) return;
  moments.is_due.store(true, std::memory_order_relaxed);
  note_due(moment_is_due);
}

// For who holds no lock.
void look(const BytesInUse& now) noexcept {
  const auto on_walks = [] { return moments.huge_pages.spent + moments.nodes.spent; };
  const std::int64_t before = clock_of(CLOCK_THREAD_CPUTIME_ID), on_walks_before = on_walks();
  moments.last.store(now.live, std::memory_order_relaxed);
  const bool is_most = now.live > moments.most.load(std::memory_order_relaxed);
  if (is_most) moments.most.store(now.live, std::memory_order_relaxed);
  moments.is_fresh.store(is_most, std::memory_order_relaxed);
  Devices devices;
  if (now.on_devices > 0) for_each_device_in_use(&devices, look_at_device);
  look_at_host(devices.emulated);
  for (std::size_t i = 0; i < devices.count; ++i) {
    if (devices.all[i].kind == TraceKind::device) moments.written(devices.all[i]);
  }
  moments.last_time = time_of_moment();
  moments.spent += clock_of(CLOCK_THREAD_CPUTIME_ID) - before - (on_walks() - on_walks_before);
}

void look_if_due() noexcept {
  if (!moments.is_due.exchange(false, std::memory_order_relaxed)) return;
  if (moments.is_looking.exchange(true, std::memory_order_acquire)) return;
  const BytesInUse now = bytes_in_use();
  if (is_more_than_ever(now.live) || is_time_for_another()) look(now);
  moments.is_looking.store(false, std::memory_order_release);
}

void do_what_is_due() noexcept {
  if (!moments.next_worker) work_is_due.fetch_and(static_cast<std::uint8_t>(~moment_is_due));
  look_if_due();
  if (moments.next_worker) moments.next_worker();
}

}  // namespace

void watch_moments(MomentWritten written) noexcept {
  moments.written = written;
  moments.start = clock_of(CLOCK_MONOTONIC);
  moments.has_several_nodes = memory_nodes() > 1;
  moments.next_watcher = bytes_watcher.load();
  moments.next_worker = due_worker.load();
  due_worker = do_what_is_due;
  bytes_watcher = notice;
}

void look_at_last_moment() noexcept {
  if (!moments.written || moments.is_looking.exchange(true, std::memory_order_acquire)) return;
  look_at_host(0);
  moments.is_looking.store(false, std::memory_order_release);
}

}  // namespace cadastre::internal
