// Taskflow: subflows for forks, its algorithms for loops.

#include <functional>
#include <memory>
#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/algorithm/reduce.hpp>
#include <taskflow/taskflow.hpp>

#include "problems.hpp"

struct Taskflow {
  using Context = tf::Subflow;
  static inline std::unique_ptr<tf::Executor> executor;

  // The main thread only waits.
  static void set_threads(int n) { executor = std::make_unique<tf::Executor>(n); }

  template <class F>
  static void enter(F f) {
    tf::Taskflow flow;
    flow.emplace([&](tf::Subflow& subflow) { f(subflow); });
    executor->run(flow).wait();
  }

  template <class F, class G>
  static void fork(tf::Subflow& subflow, F f, G g) {
    subflow.emplace([&](tf::Subflow& s) { f(s); });
    subflow.emplace([&](tf::Subflow& s) { g(s); });
    subflow.join();
  }

  template <class Body>
  static void loop(long n, long chunk, Body body) {
    tf::Taskflow flow;
    if (chunk > 0)
      flow.for_each_index(0L, n, 1L, body, tf::DynamicPartitioner<>(size_t(chunk)));
    else
      flow.for_each_index(0L, n, 1L, body);
    executor->run(flow).wait();
  }

  static double sum(const double* a, long n, long chunk) {
    double result = 0.;
    tf::Taskflow flow;
    if (chunk > 0)
      flow.reduce(a, a + n, result, std::plus<double>(), tf::DynamicPartitioner<>(size_t(chunk)));
    else
      flow.reduce(a, a + n, result, std::plus<double>());
    executor->run(flow).wait();
    return result;
  }
};

int main(int argc, char** argv) { return serve<Taskflow>(argc, argv); }
