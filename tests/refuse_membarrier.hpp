// Tangled from org/tests/refuse_membarrier.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A filter of system calls as a container may have it.
#ifndef CADASTRE_TESTS_REFUSE_MEMBARRIER_HPP
#define CADASTRE_TESTS_REFUSE_MEMBARRIER_HPP

#if defined(__linux__) && __has_include(<linux/seccomp.h>)
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(SYS_seccomp) && defined(SYS_membarrier)
// From now on, also in children and other programs; false where it cannot be done here.
inline bool refuse_membarrier(int error, unsigned flags) {
  sock_filter lines[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof lines / sizeof *lines, lines};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter) == 0 &&
         syscall(SYS_membarrier, 0, 0, 0) == -1 && errno == error;
}
inline constexpr unsigned for_all_threads = SECCOMP_FILTER_FLAG_TSYNC;
#else
inline bool refuse_membarrier(int, unsigned) { return false; }
inline constexpr unsigned for_all_threads = 1;
#endif
inline constexpr unsigned for_this_thread = 0;

#endif
