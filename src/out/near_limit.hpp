// Tangled from org/out/near_limit.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which limits are nearly reached, and how much is used of what others use, too. Nothing throws or allocates.
#ifndef CADASTRE_SRC_OUT_NEAR_LIMIT_HPP
#define CADASTRE_SRC_OUT_NEAR_LIMIT_HPP

#include "base/accounting.hpp"
#include "base/capacity.hpp"
#include "base/non_copyable.hpp"

#include <algorithm>

namespace cadastre::internal {

// Which of them are nearly reached, from now on. percent: of a limit, from 1 to 99.
void watch_limits(unsigned percent) noexcept;

// Bytes that live in the process, of all memory types; with those that are kept; and of these, those on devices.
struct BytesInUse {
  std::uint64_t live = 0, used = 0, on_devices = 0;
};
BytesInUse bytes_in_use() noexcept;

// For the watcher of the accounts, whose caller may hold locks: whether there is something to be looked at.
bool look_at_limits(const SharedAccount& account, cadastre_memory_type type, const BytesInUse& now) noexcept;

struct LimitUse {
  static constexpr std::size_t of_account = SIZE_MAX, host = 0;

  std::size_t place = of_account;  // of those that others use, too: the host, and from 1 on devices
  std::uint64_t used = 0, limit = 0;
  std::uint64_t live = 0;  // here
  bool is_near = false;    // and was not shown as near
  char of[400] = "";       // "4.00 GiB, which the control group /job allows", "40.0 MiB, the limit of HOST memory of context 7"
};

enum class LookAt {
  due,   // what is to be looked at
  host,  // and at the host, where that was a second ago
  all    // even where little has changed
};
using LimitUseShown = void (*)(const LimitUse& use) noexcept;
// For who holds no lock, one at a time: looks, and shows limits of accounts that are nearly reached, and the one of the host that most is used of, with others
// that are near. Calls nothing of the program's.
void look_again(LookAt what, LimitUseShown shown) noexcept;

// Asks backends about their devices, unless it is too early or another thread asks. The thread's last errors stay.
class LookAtDevices : NonCopyable {
 public:
  // For who holds no lock. One that does not come back, for whatever reason, has all others pass by.
  explicit LookAtDevices(LookAt what) noexcept;
  // What is not shown is asked for again.
  ~LookAtDevices();
  // Whether there is something to be shown.
  bool has_any() const noexcept;
  // One at a time, and not beside look_again.
  void show(LimitUseShown shown) noexcept;

 private:
  bool has_asked_ = false, is_shown_ = false, is_to_ask_again_ = false;
};

// What the host offered when it was shown last. For who is shown it.
const HostCapacity& capacity_seen() noexcept;

// When the approach to a limit is reported. Any thread asks whether it is to be looked at, one at a time looks. now: a function that has the time in nanoseconds; it
// is asked only where the time matters.
class Approach {
 public:
  template <class Now>
  bool is_due(std::uint64_t used, std::uint64_t limit, unsigned percent, Now now) const noexcept {
    const std::uint64_t next = next_.load(std::memory_order_relaxed);
    if (next == 0) return used >= share_of(limit, percent);
    if (limit != limit_.load(std::memory_order_relaxed)) return used >= share_of(limit, percent) && !was_reported_lately(now());
    return used >= next || (used < again_below_.load(std::memory_order_relaxed) && !was_reported_lately(now()));
  }
  // Whether it is reported.
  template <class Now>
  bool is_nearer(std::uint64_t used, std::uint64_t limit, unsigned percent, Now now) noexcept {
    if (!is_due(used, limit, percent, now)) return false;
    if (limit == limit_.load(std::memory_order_relaxed) && used < again_below_.load(std::memory_order_relaxed)) begin_anew();
    const std::uint64_t share = share_of(limit, percent), left = limit - std::min(limit, used);
    if (used < share) return false;
    const std::uint64_t next = left == 0 ? UINT64_MAX : limit - (left / 2 < limit / 128 ? 0 : left / 2);
    next_.store(std::max<std::uint64_t>(next, 1), std::memory_order_relaxed);
    again_below_.store(share - std::min(share / 2, share_of(limit, apart)), std::memory_order_relaxed);
    limit_.store(limit, std::memory_order_relaxed);
    last_.store(now(), std::memory_order_relaxed);
    return true;
  }
  bool was_reported_lately(std::int64_t now) const noexcept {
    constexpr std::int64_t pause = 10'000'000'000;
    return last() != 0 && now - last() < pause;
  }
  // When it was reported last; 0: never.
  std::int64_t last() const noexcept { return last_.load(std::memory_order_relaxed); }
  void begin_anew() noexcept {
    next_.store(0, std::memory_order_relaxed);
    again_below_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned apart = 5;  // hundredths
  static std::uint64_t share_of(std::uint64_t limit, unsigned percent) noexcept {
    return limit / 100 * percent + limit % 100 * percent / 100;
  }

  std::atomic<std::uint64_t> next_ = 0, again_below_ = 0;  // bytes used; 0: it is not begun
  std::atomic<std::uint64_t> limit_ = 0;
  std::atomic<std::int64_t> last_ = 0;
};

}  // namespace cadastre::internal
#endif
