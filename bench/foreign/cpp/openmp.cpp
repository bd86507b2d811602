// OpenMP: tasks for forks; loops with the schedule "dynamic", one iteration at a time where no chunk is given; sums, whose
// iterations are all alike, with "static" there.

#include <omp.h>

#include "problems.hpp"

struct OpenMp {
  struct Context {};
  static void set_threads(int n) {
    omp_set_dynamic(0);
    omp_set_num_threads(n);
  }

  template <class F>
  static void enter(F f) {
#pragma omp parallel
#pragma omp single
    {
      Context context;
      f(context);
    }
  }

  template <class F, class G>
  static void fork(Context& context, F f, G g) {
    // The function object lies in this frame, which waits: the task needs no copy of it.
#pragma omp task default(none) shared(context, f)
    f(context);
    g(context);
#pragma omp taskwait
  }

  template <class Body>
  static void loop(long n, long chunk, Body body) {
    if (chunk == 0) chunk = 1;
#pragma omp parallel for schedule(dynamic, chunk)
    for (long i = 0; i < n; i++) body(i);
  }

  static double sum(const double* a, long n, long chunk) {
    double sum = 0.;
    if (chunk > 0) {
#pragma omp parallel for schedule(dynamic, chunk) reduction(+ : sum)
      for (long i = 0; i < n; i++) sum += a[i];
    } else {
#pragma omp parallel for schedule(static) reduction(+ : sum)
      for (long i = 0; i < n; i++) sum += a[i];
    }
    return sum;
  }
};

int main(int argc, char** argv) { return serve<OpenMp>(argc, argv); }
