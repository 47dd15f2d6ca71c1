// Tangled from org/bench.org; change the chapter, then run: make tangle
// Doing something in a process of its own.
#ifndef CADASTRE_BENCH_CHILD_HPP
#define CADASTRE_BENCH_CHILD_HPP

#include <sys/wait.h>
#include <unistd.h>

namespace bench {

// What body answers in a copy of this process; below 0 when that ended without an answer.
template <class Body>
double in_a_child(Body body) {
  int ends[2];
  double answer = -1;
  if (pipe(ends) != 0) return answer;
  const pid_t child = fork();
  if (child == 0) {
    answer = body();
    _exit(write(ends[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &answer, sizeof answer) != sizeof answer) answer = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return answer;
}

}  // namespace bench
#endif
