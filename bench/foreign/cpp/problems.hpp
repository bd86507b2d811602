// The benchmarks, for any library: a Library has a type Context and the static members
//
//   void set_threads(int)                  once, before all else
//   void enter(f)                          calls f(context) where the library's tasks can be made
//   void fork(context, f, g)               calls f(context') and g(context''), perhaps at the same time
//   void loop(n, chunk, body)              calls body(i) for all i from 0 to n - 1; chunk 0: the library's default
//   double sum(a, n, chunk)                the sum of n numbers
//
// loop and sum are called outside enter.

#pragma once

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// --- the plain programs ---

inline long fib_plain(long n) { return n < 2 ? n : fib_plain(n - 1) + fib_plain(n - 2); }

// The columns of the queens placed so far, that of the last row first. The nodes lie on the stacks of the callers.
struct Board {
  int column;
  const Board* rest;
};

inline bool is_safe(int column, const Board* board) {
  int distance = 1;
  for (; board; board = board->rest, distance++)
    if (board->column == column || std::abs(board->column - column) == distance) return false;
  return true;
}

inline int next_safe(int n, const Board* board, int column) {
  while (column < n && !is_safe(column, board)) column++;
  return column;
}

inline long queens_from_plain(int n, int rows, const Board* board, int column);

inline long queens_plain(int n, int rows, const Board* board) {
  return rows == 0 ? 1 : queens_from_plain(n, rows, board, 0);
}

inline long queens_from_plain(int n, int rows, const Board* board, int column) {
  column = next_safe(n, board, column);
  if (column == n) return 0;
  Board here{column, board};
  long with_here = queens_plain(n, rows - 1, &here);
  return with_here + queens_from_plain(n, rows, board, column + 1);
}

// --- the parallel programs ---

template <class L>
long fib(typename L::Context& context, long n, long cutoff) {
  if (n < 2) return n;
  if (n <= cutoff) return fib_plain(n);
  long a, b;
  L::fork(context, [&a, n, cutoff](typename L::Context& c) { a = fib<L>(c, n - 1, cutoff); },
          [&b, n, cutoff](typename L::Context& c) { b = fib<L>(c, n - 2, cutoff); });
  return a + b;
}

template <class L>
long queens_from(typename L::Context& context, int n, int rows, const Board* board, int column, int cutoff);

template <class L>
long queens(typename L::Context& context, int n, int rows, const Board* board, int cutoff) {
  return rows <= cutoff ? queens_plain(n, rows, board) : queens_from<L>(context, n, rows, board, 0, cutoff);
}

template <class L>
long queens_from(typename L::Context& context, int n, int rows, const Board* board, int column, int cutoff) {
  column = next_safe(n, board, column);
  if (column == n) return 0;
  Board here{column, board};
  long a, b;
  L::fork(context, [&, n, rows, cutoff](typename L::Context& c) { a = queens<L>(c, n, rows - 1, &here, cutoff); },
          [&, n, rows, cutoff](typename L::Context& c) {
            b = queens_from<L>(c, n, rows, board, column + 1, cutoff);
          });
  return a + b;
}

using Matrix = std::vector<std::vector<double>>;

inline Matrix make_matrix(long n, int by_row, int by_column, int modulus) {
  Matrix m(n, std::vector<double>(n));
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) m[i][j] = double((by_row * i + by_column * j) % modulus);
  return m;
}

// c_i + a_i b for one row: along the rows of b.
inline void multiply_row(const std::vector<double>& a_i, const Matrix& b, std::vector<double>& c_i) {
  const size_t n = a_i.size();
  for (size_t k = 0; k < n; k++) {
    const double x = a_i[k];
    const double* b_k = b[k].data();
    double* c = c_i.data();
    for (size_t j = 0; j < n; j++) c[j] += x * b_k[j];
  }
}

template <class L>
Matrix multiply(const Matrix& a, const Matrix& b, long chunk) {
  const long n = long(a.size());
  Matrix c(n, std::vector<double>(n, 0.));
  L::loop(n, chunk, [&](long i) { multiply_row(a[i], b, c[i]); });
  return c;
}

// --- requests ---

struct Answer {
  double seconds;
  std::string result;
};

inline std::string whole(double x) {
  char text[64];
  std::snprintf(text, sizeof text, std::floor(x) == x ? "%.0f" : "%.17g", x);
  return text;
}

template <class F>
auto timed(double& seconds, F f) {
  auto start = std::chrono::steady_clock::now();
  auto result = f();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template <class L>
Answer run(const std::string& benchmark, long size, long cutoff) {
  Answer answer;
  if (benchmark == "fib") {
    answer.result = std::to_string(timed(answer.seconds, [&] {
      long result = 0;
      L::enter([&](typename L::Context& c) { result = fib<L>(c, size, cutoff); });
      return result;
    }));
  } else if (benchmark == "nqueens") {
    answer.result = std::to_string(timed(answer.seconds, [&] {
      long result = 0;
      L::enter([&](typename L::Context& c) { result = queens<L>(c, int(size), int(size), nullptr, int(cutoff)); });
      return result;
    }));
  } else if (benchmark == "for_irregular") {
    std::vector<long> results(size);
    timed(answer.seconds, [&] {
      L::loop(size, cutoff, [&](long k) { results[k] = fib_plain(10 + (((k + 1 - 10) % 30) + 30) % 30); });
      return 0;
    });
    long sum = 0;
    for (long x : results) sum += x;
    answer.result = std::to_string(sum);
  } else if (benchmark == "matmul") {
    const Matrix a = make_matrix(size, 7, 3, 11), b = make_matrix(size, 5, 2, 13);
    const Matrix c = timed(answer.seconds, [&] {
      multiply<L>(a, b, cutoff);
      return multiply<L>(a, b, cutoff);
    });
    double sum = 0.;
    for (long i = 0; i < size; i++)
      for (long j = 0; j < size; j++) sum += double((1 + i % 3) * (1 + j % 5)) * c[i][j];
    answer.result = whole(sum);
  } else if (benchmark == "reduce") {
    std::vector<double> a(size);
    for (long i = 0; i < size; i++) a[i] = double(i + 1);
    answer.result = whole(timed(answer.seconds, [&] { return L::sum(a.data(), size, cutoff); }));
  } else {
    throw std::runtime_error("no such benchmark: " + benchmark);
  }
  return answer;
}

template <class L>
int serve(int argc, char** argv) {
  if (argc != 2 || std::atoi(argv[1]) < 1) {
    std::cerr << "usage: " << argv[0] << " THREADS" << std::endl;
    return 2;
  }
  L::set_threads(std::atoi(argv[1]));
  std::cout << "weft-rival 1" << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream request(line);
    std::string benchmark;
    long size = 0, cutoff = 0;
    request >> benchmark >> size >> cutoff;
    try {
      Answer answer = run<L>(benchmark, size, cutoff);
      std::printf("{\"seconds\": %.9f, \"result\": \"%s\"}\n", answer.seconds, answer.result.c_str());
    } catch (const std::exception& e) {
      std::printf("{\"error\": \"%s\"}\n", e.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
