// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Doing something in a process of its own.
#ifndef CADASTRE_BENCH_CHILD_HPP
#define CADASTRE_BENCH_CHILD_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "ways.hpp"

namespace bench {

inline bool answer(double value, int where) { return write(where, &value, sizeof value) == sizeof value; }

// What a copy of this process, in which body is called with a place for it, answers; below 0 when that ended without.
template <class Body>
double answer_of_child(Body body) {
  int ends[2];
  double value = -1;
  if (pipe(ends) != 0) return value;
  const pid_t child = fork();
  if (child == 0) _exit(body(ends[1]) ? 0 : 1);
  close(ends[1]);
  if (read(ends[0], &value, sizeof value) != sizeof value) value = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return value;
}

template <class Body>
double in_a_child(Body body) {
  return answer_of_child([&](int where) { return answer(body(), where); });
}

// What this program answers on its standard output when it is begun anew with these arguments.
inline double in_a_new_process(const char* what, const char* how, const std::string& count) {
  return answer_of_child([&](int where) {
    return dup2(where, STDOUT_FILENO) >= 0 && execl("/proc/self/exe", "bench", what, how, count.c_str(), nullptr) == 0;
  });
}

// Such a new process writes what the body answers for the way with that name; 1 when there is none.
template <class Way, class Body>
void tell_if(const std::string& name, int& status, Body& body) {
  if (name == Way::name && answer(body.template operator()<Way>(), STDOUT_FILENO)) status = 0;
}

template <class Body>
int tell(const std::string& name, Body body) {
  int status = 1;
  for_all_ways([&]<class Way>() { tell_if<Way>(name, status, body); });
  return status;
}

// The same of ways to get demanding blocks, of which some have the name of another way.
template <class Body>
void for_demanding_ways(Body body) {
  for_ways<AlignedGlibc, Aligned<Mimalloc>, Demanding>(body);
}

template <class Body>
int tell_of_demanding(const std::string& name, Body body) {
  int status = 1;
  for_demanding_ways([&]<class Way>() { tell_if<Way>(name, status, body); });
  return status;
}

}  // namespace bench
#endif
