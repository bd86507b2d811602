// oneTBB.

#include <oneapi/tbb.h>

#include <functional>
#include <memory>

#include "problems.hpp"

struct Tbb {
  struct Context {};
  static inline std::unique_ptr<tbb::global_control> control;
  static inline std::unique_ptr<tbb::task_arena> arena;

  static void set_threads(int n) {
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, n);
    arena = std::make_unique<tbb::task_arena>(n);
  }

  template <class F>
  static void enter(F f) {
    Context context;
    arena->execute([&] { f(context); });
  }

  template <class F, class G>
  static void fork(Context& context, F f, G g) {
    tbb::parallel_invoke([&] { f(context); }, [&] { g(context); });
  }

  template <class Body>
  static void loop(long n, long chunk, Body body) {
    auto part = [&](const tbb::blocked_range<long>& range) {
      for (long i = range.begin(); i < range.end(); i++) body(i);
    };
    arena->execute([&] {
      if (chunk > 0)
        tbb::parallel_for(tbb::blocked_range<long>(0, n, chunk), part, tbb::simple_partitioner());
      else
        tbb::parallel_for(tbb::blocked_range<long>(0, n), part);
    });
  }

  static double sum(const double* a, long n, long chunk) {
    auto part = [a](const tbb::blocked_range<long>& range, double sum) {
      for (long i = range.begin(); i < range.end(); i++) sum += a[i];
      return sum;
    };
    double result = 0.;
    arena->execute([&] {
      if (chunk > 0)
        result = tbb::parallel_reduce(tbb::blocked_range<long>(0, n, chunk), 0., part, std::plus<double>(),
                                      tbb::simple_partitioner());
      else
        result = tbb::parallel_reduce(tbb::blocked_range<long>(0, n), 0., part, std::plus<double>());
    });
    return result;
  }
};

int main(int argc, char** argv) { return serve<Tbb>(argc, argv); }
