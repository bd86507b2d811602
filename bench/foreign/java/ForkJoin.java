import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** RecursiveTask for forks; parallel streams, which run in the pool that they are called in, for loops. */
final class ForkJoin implements Library {
  private final ForkJoinPool pool;

  ForkJoin(int threads) {
    pool = new ForkJoinPool(threads);
  }

  private static final class Fib extends RecursiveTask<Long> {
    private final int n, cutoff;

    Fib(int n, int cutoff) {
      this.n = n;
      this.cutoff = cutoff;
    }

    @Override
    protected Long compute() {
      if (n < 2) return (long) n;
      if (n <= cutoff) return Plain.fib(n);
      Fib left = new Fib(n - 1, cutoff);
      left.fork();
      long right = new Fib(n - 2, cutoff).compute();
      return left.join() + right;
    }
  }

  /** The solutions that begin with the board and have the next queen at the column or to the right of it. */
  private static final class QueensFrom extends RecursiveTask<Long> {
    private final int n, rows, column, cutoff;
    private final Plain.Board board;

    QueensFrom(int n, int rows, Plain.Board board, int column, int cutoff) {
      this.n = n;
      this.rows = rows;
      this.board = board;
      this.column = column;
      this.cutoff = cutoff;
    }

    @Override
    protected Long compute() {
      if (rows <= cutoff) return Plain.queens(n, rows, board);
      int safe = Plain.nextSafe(n, board, column);
      if (safe == n) return 0L;
      QueensFrom here = new QueensFrom(n, rows - 1, new Plain.Board(safe, board), 0, cutoff);
      here.fork();
      long right = new QueensFrom(n, rows, board, safe + 1, cutoff).compute();
      return here.join() + right;
    }
  }

  private <T> T inPool(Supplier<T> f) {
    return pool.submit(f::get).join();
  }

  private void loop(int n, java.util.function.IntConsumer body) {
    inPool(
        () -> {
          IntStream.range(0, n).parallel().forEach(body);
          return null;
        });
  }

  public long fib(int n, int cutoff) {
    return pool.invoke(new Fib(n, cutoff));
  }

  public long queens(int n, int cutoff) {
    return pool.invoke(new QueensFrom(n, n, null, 0, cutoff));
  }

  public void forIrregular(long[] results) {
    loop(results.length, k -> results[k] = Plain.irregular(k));
  }

  public void multiply(double[][] a, double[][] b, double[][] c) {
    loop(a.length, i -> Plain.multiplyRow(a[i], b, c[i]));
  }

  /** Not DoubleStream.sum(), which compensates rounding errors and takes longer for it. */
  public double sum(double[] a) {
    return inPool(() -> java.util.Arrays.stream(a).parallel().reduce(0., Double::sum));
  }
}
