// The plain programs.

#include "problems.hpp"

struct Sequential {
  struct Context {};
  static void set_threads(int) {}

  template <class F>
  static void enter(F f) {
    Context context;
    f(context);
  }

  template <class F, class G>
  static void fork(Context& context, F f, G g) {
    f(context);
    g(context);
  }

  template <class Body>
  static void loop(long n, long, Body body) {
    for (long i = 0; i < n; i++) body(i);
  }

  static double sum(const double* a, long n, long) {
    double sum = 0.;
    for (long i = 0; i < n; i++) sum += a[i];
    return sum;
  }
};

// Without forks there is nothing to cut off: the plain functions from the start.
template <>
long fib<Sequential>(Sequential::Context&, long n, long) {
  return fib_plain(n);
}

template <>
long queens<Sequential>(Sequential::Context&, int n, int rows, const Board* board, int) {
  return queens_plain(n, rows, board);
}

int main(int argc, char** argv) { return serve<Sequential>(argc, argv); }
