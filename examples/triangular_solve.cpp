// Tangled from org/examples/triangular_solve.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Solves L X = B with scratch memory from a context, in each of the ways in which the context can get it.
//
//   c++ -std=c++17 triangular_solve.cpp $(pkg-config --cflags --libs cadastre) -o triangular_solve
//   ./triangular_solve
//   CADASTRE_WORKSPACE_SIZE=64K ./triangular_solve
//
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cadastre.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <string>
#include <tuple>
#include <vector>

namespace {

using cadastre::elements;
using std::size_t;

constexpr size_t block = 64;

// A matrix in column-major order, or a part of one.
template <class T>
struct matrix {
  T* first;
  size_t rows, columns, stride;

  T* column(size_t j) const { return first + j * stride; }
  T& operator()(size_t i, size_t j) const { return column(j)[i]; }
  matrix part(size_t i, size_t j, size_t some_rows, size_t some_columns) const { return {column(j) + i, some_rows, some_columns, stride}; }
  operator matrix<const T>() const { return {first, rows, columns, stride}; }
};

size_t blocks_of(size_t rows) { return (rows + block - 1) / block; }

// C += factor A B.
void add_product(double factor, const matrix<const double>& a, const matrix<const double>& b, const matrix<double>& c) {
  for (size_t j = 0; j < c.columns; ++j) {
    double* const sums = c.column(j);
    for (size_t k = 0; k < a.columns; ++k) {
      const double* const terms = a.column(k);
      const double times = factor * b(k, j);
      for (size_t i = 0; i < c.rows; ++i) sums[i] += terms[i] * times;
    }
  }
}

// The inverse of the diagonal block that begins in this row.
void invert(const matrix<const double>& l, size_t row, double* place) {
  const size_t rows = std::min(block, l.rows - row);
  const matrix<double> inverse{place, rows, rows, rows};
  for (size_t j = 0; j < rows; ++j) {
    for (size_t i = 0; i < rows; ++i) {
      double sum = i == j ? 1 : 0;
      for (size_t k = j; k < i; ++k) sum -= l(row + i, row + k) * inverse(k, j);
      inverse(i, j) = i < j ? 0 : sum / l(row + i, row + i);
    }
  }
}

// Computes the block of rows of X that begins in this row, and subtracts its products from the rows of B below.
void solve_rows(const matrix<const double>& l, const matrix<double>& b, size_t row, const double* inverse, double* copy) {
  const size_t rows = std::min(block, l.rows - row);
  const matrix<double> here = b.part(row, 0, rows, b.columns), copied{copy, rows, b.columns, rows};
  for (size_t j = 0; j < b.columns; ++j) {
    std::copy_n(here.column(j), rows, copied.column(j));
    std::fill_n(here.column(j), rows, 0.0);
  }
  add_product(1, {inverse, rows, rows, rows}, copied, here);
  for (size_t below = row + rows; below < l.rows; below += block) {
    const size_t more = std::min(block, l.rows - below);
    add_product(-1, l.part(below, row, more, rows), here, b.part(below, 0, more, b.columns));
  }
}

// Solves L X = B. X overwrites B; only the lower triangle of L is read.
//
// Exit codes: SUCCESS; PERFORMANCE_DEGRADED (solved, with less memory); SIZE_INCREASED and SIZE_UNCHANGED in a size
// query; otherwise the exit code of the failed acquisition, and B is unchanged.
cadastre_exit_code triangular_solve(cadastre::context_view context, const matrix<const double>& l, const matrix<double>& b) {
  const elements<double> all_inverses(blocks_of(l.rows) * block * block), all_columns(block * b.columns);
  if (context.workspace_is_size_query()) return context.workspace_set_optimal_size(all_inverses, all_columns);

  if (auto lease = context.acquire_on_queue(std::nothrow, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, all_inverses, all_columns)) {
    const auto& [inverses, panel] = lease;
    for (size_t row = 0; row < l.rows; row += block) invert(l, row, inverses + row * block);
    for (size_t row = 0; row < l.rows; row += block) solve_rows(l, b, row, inverses + row * block, panel);
    return CADASTRE_SUCCESS;
  }

  const elements<double> one_inverse(block * block), one_column(block);
  auto lease = context.acquire_on_queue(std::nothrow, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, one_inverse, one_column);
  if (!lease) return lease.exit_code();
  const auto& [inverse, column] = lease;
  for (size_t row = 0; row < l.rows; row += block) {
    invert(l, row, inverse);
    for (size_t j = 0; j < b.columns; ++j) solve_rows(l, b.part(0, j, b.rows, 1), row, inverse, column);
  }
  return CADASTRE_PERFORMANCE_DEGRADED;
}

// B = L X, where L is lower triangular. Exit codes: SUCCESS; SIZE_UNCHANGED in a size query.
cadastre_exit_code triangular_multiply(cadastre::context_view context, const matrix<const double>& l, const matrix<const double>& x,
                                       const matrix<double>& b) {
  CADASTRE_RETURN_IF_SIZE_QUERY(context.handle());
  for (size_t j = 0; j < b.columns; ++j) {
    for (size_t i = 0; i < b.rows; ++i) {
      double sum = 0;
      for (size_t k = 0; k <= i; ++k) sum += l(i, k) * x(k, j);
      b(i, j) = sum;
    }
  }
  return CADASTRE_SUCCESS;
}

constexpr size_t n = 500;
constexpr double tolerance = 1e-12;

double number(size_t i, size_t j) {
  const double x = 0.41421356237309505 * static_cast<double>(i + 1) + 0.73205080756887729 * static_cast<double>(j + 1);
  return x - std::floor(x);
}

// L, B, and the X that forward substitution computes.
struct problem {
  size_t m;
  std::vector<double> left, right, solution;

  problem(cadastre::context_view context, size_t columns) : m(columns), left(n * n), right(n * m), solution(n * m) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t i = j; i < n; ++i) left[j * n + i] = i == j ? 1 + number(i, j) : number(i, j) / n;
    }
    for (size_t j = 0; j < m; ++j) {
      for (size_t i = 0; i < n; ++i) solution[j * n + i] = 2 * number(j, i) - 1;
    }
    (void)triangular_multiply(context, l(), matrix<double>{solution.data(), n, m, n}, {right.data(), n, m, n});
    solution = right;
    substitute();
  }

  matrix<const double> l() const { return {left.data(), n, n, n}; }

  void substitute() {
    for (size_t j = 0; j < m; ++j) {
      double* const x = solution.data() + j * n;
      for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k) x[i] -= l()(i, k) * x[k];
        x[i] /= l()(i, i);
      }
    }
  }
};

// The largest difference; a difference that is not a number counts as the largest.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double here = std::abs(a[i] - b[i]);
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

bool all_right = true;

struct outcome {
  cadastre_exit_code code;
  double error;
};

outcome solve(cadastre::context_view context, const problem& p) {
  std::vector<double> b = p.right;
  const cadastre_exit_code code = triangular_solve(context, p.l(), {b.data(), n, p.m, n});
  const bool solved = code == CADASTRE_SUCCESS || code == CADASTRE_PERFORMANCE_DEGRADED;
  return {code, difference(b, solved ? p.solution : p.right)};
}

// For a size query, which accesses no element.
cadastre_exit_code ask(cadastre::context_view context, const problem& p, size_t columns) {
  return triangular_solve(context, p.l(), {nullptr, n, columns, n});
}

size_t query_size(cadastre::context_view context, const problem& p) {
  return context.workspace_query_size([&] { return ask(context, p, p.m); });
}

void print_line(const std::string& scenario, const std::string& result, cadastre::context_view context, double error, bool right) {
  right = right && error <= tolerance;
  all_right = all_right && right;
  const auto info = context.workspace_info(CADASTRE_HOST);
  std::printf("%s: %s; size %zu, growths %d, acquisitions %d, failed acquisitions %d; largest error %.1e%s\n", scenario.c_str(),
              result.c_str(), info.reserved_bytes, static_cast<int>(info.growths), static_cast<int>(info.acquisitions),
              static_cast<int>(info.failed_acquisitions), error, right ? "" : ", WRONG");
}

// Solves twice: the second call finds the workspace as the first one left it.
void solve_and_print(const std::string& scenario, cadastre::context_view context, const problem& p,
                     std::initializer_list<cadastre_exit_code> expected = {CADASTRE_SUCCESS}) {
  const outcome first = solve(context, p), second = solve(context, p);
  const bool right = std::count(expected.begin(), expected.end(), first.code) == 1 && second.code == first.code;
  print_line(scenario, cadastre_string_of_error(first.code), context, std::max(first.error, second.error), right);
}

void by_default(const problem& p) {
  cadastre::context context;
  context.workspace_set_size(CADASTRE_HOST, CADASTRE_WORKSPACE_AUTOMATIC);
  solve_and_print("default", context, p);
}

void preallocated(const problem& p) {
  cadastre::context context;
  const size_t bytes = query_size(context, p);
  context.workspace_set_size(CADASTRE_HOST, bytes);
  solve_and_print("preallocate, " + std::to_string(bytes) + " bytes by size query", context, p);
}

void preallocated_by_environment(const problem& p) {
  cadastre::context context;
  const char* const size = std::getenv("CADASTRE_WORKSPACE_SIZE");
  std::string scenario = "preallocate by environment, CADASTRE_WORKSPACE_SIZE";
  scenario += size ? std::string("=") + size : " is not set";
  const cadastre_memory_type type = context.workspace_info().type;
  if (type != CADASTRE_HOST) scenario += std::string(", of ") + cadastre_string_of_memory_type(type) + " memory";
  const cadastre_workspace_scheme scheme = context.workspace_info(CADASTRE_HOST).scheme;
  scenario += std::string(", HOST memory is ") + cadastre_string_of_workspace_scheme(scheme);
  solve_and_print(scenario, context, p, {CADASTRE_SUCCESS, CADASTRE_PERFORMANCE_DEGRADED, CADASTRE_LIMIT_EXCEEDED});
}

void manual(const problem& p) {
  cadastre::context context;
  cadastre::request aligned;
  aligned.alignment = context.workspace_info(CADASTRE_HOST).granularity;
  auto buffer = context.allocate<std::byte>(query_size(context, p), aligned);
  context.workspace_set_buffer(CADASTRE_HOST, buffer.get(), buffer.size());
  solve_and_print("manual, a buffer of " + std::to_string(buffer.size()) + " bytes of the caller's", context, p);
  context.workspace_set_buffer(CADASTRE_HOST, nullptr, 0);
}

void multiple_buffers() {
  cadastre::context context;
  context.workspace_set_size(CADASTRE_HOST, CADASTRE_WORKSPACE_AUTOMATIC);
  const int count = 100;
  auto lease = context.acquire_on_queue(CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, count * sizeof(double), count * sizeof(int), 0);
  double* numbers;
  int* indices;
  void* none;
  std::tie(numbers, indices, none) = lease;
  for (int i = 0; i < count; ++i) numbers[i] = i, indices[i] = -i;
  double error = 0;
  for (int i = 0; i < count; ++i) error += std::abs(numbers[i] + indices[i]);
  print_line("multiple buffers, 800, 400 and 0 bytes", "three pointers from one lease", context, error, none == nullptr);
}

const char* more(cadastre_exit_code code) {
  return code == CADASTRE_SIZE_INCREASED ? "increased" : code == CADASTRE_SIZE_UNCHANGED ? "unchanged" : "failed";
}

void size_query(const problem& p) {
  cadastre::context context;
  std::string results;
  cadastre::size_query query(context);
  for (const size_t columns : {p.m, p.m / 4, 2 * p.m}) {
    results += "solve for " + std::to_string(columns) + " " + more(ask(context, p, columns)) + ", ";
  }
  results += std::string("multiply ") + more(triangular_multiply(context, p.l(), p.l(), {nullptr, n, n, n}));
  const size_t bytes = query.stop();
  context.workspace_set_size(CADASTRE_HOST, bytes);
  solve_and_print("size query, " + results + ", " + std::to_string(bytes) + " bytes in all", context, p);
}

void degraded(const problem& p) {
  cadastre::context context;
  context.workspace_set_size(CADASTRE_HOST, 64 * 1024);
  solve_and_print("degraded, 65536 bytes", context, p, {CADASTRE_PERFORMANCE_DEGRADED});
}

void failed(const problem& p) {
  cadastre::context context;
  context.workspace_set_size(CADASTRE_HOST, 16 * 1024);
  solve_and_print("failed, 16384 bytes", context, p, {CADASTRE_LIMIT_EXCEEDED});
}

void only_what_was_sized(const problem& p) {
  cadastre::context context;
  const problem larger(context, 2 * p.m);
  context.workspace_set_size(CADASTRE_HOST, query_size(context, p));
  const auto before = context.statistics(CADASTRE_HOST).allocations;
  const outcome fits = solve(context, p), exceeds = solve(context, larger);
  const auto allocations = context.statistics(CADASTRE_HOST).allocations - before;
  const bool right = fits.code == CADASTRE_SUCCESS && exceeds.code == CADASTRE_PERFORMANCE_DEGRADED && allocations == 0;
  print_line("only what was explicitly sized is used, and twice as much is needed",
             cadastre_string_of_error(exceeds.code) + ("; allocations " + std::to_string(allocations)), context,
             std::max(fits.error, exceeds.error), right);
}

}  // namespace

int main() try {
  cadastre::context context;
  const problem p(context, 48);
  by_default(p);
  preallocated(p);
  preallocated_by_environment(p);
  manual(p);
  multiple_buffers();
  size_query(p);
  degraded(p);
  failed(p);
  only_what_was_sized(p);
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const cadastre::error& error) {
  std::fprintf(stderr, "triangular_solve: %s\n", error.what());
  return EXIT_FAILURE;
}
