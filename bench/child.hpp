// Tangled from org/bench.org; change the chapter, then run: make tangle
// Doing something in a process of its own.
#ifndef CADASTRE_BENCH_CHILD_HPP
#define CADASTRE_BENCH_CHILD_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <string>

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

}  // namespace bench
#endif
