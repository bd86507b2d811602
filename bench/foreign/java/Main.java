import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.function.Supplier;

/** Requests: see child.mli. Arguments: "sequential" or "java", and the number of threads. */
final class Main {
  private record Answer(double seconds, String result) {}

  private static double elapsed;

  private static <T> T timed(Supplier<T> f) {
    long start = System.nanoTime();
    T result = f.get();
    elapsed = (System.nanoTime() - start) / 1e9;
    return result;
  }

  private static String whole(double x) {
    return new BigDecimal(x).toPlainString();
  }

  private static String run(Library library, String benchmark, int size, int cutoff) {
    switch (benchmark) {
      case "fib":
        return String.valueOf(timed(() -> library.fib(size, cutoff)));
      case "nqueens":
        return String.valueOf(timed(() -> library.queens(size, cutoff)));
      case "for_irregular": {
        long[] results = new long[size];
        timed(
            () -> {
              library.forIrregular(results);
              return null;
            });
        long sum = 0;
        for (long x : results) sum += x;
        return String.valueOf(sum);
      }
      case "matmul": {
        double[][] a = Plain.matrix(size, 7, 3, 11), b = Plain.matrix(size, 5, 2, 13);
        double[][] c =
            timed(
                () -> {
                  double[][] product = null;
                  for (int time = 0; time < 2; time++) {
                    product = new double[size][size];
                    library.multiply(a, b, product);
                  }
                  return product;
                });
        double sum = 0;
        for (int i = 0; i < size; i++) for (int j = 0; j < size; j++) sum += (1 + i % 3) * (1 + j % 5) * c[i][j];
        return whole(sum);
      }
      case "reduce": {
        double[] a = new double[size];
        for (int i = 0; i < size; i++) a[i] = i + 1;
        return whole(timed(() -> library.sum(a)));
      }
      default:
        throw new IllegalArgumentException("no such benchmark: " + benchmark);
    }
  }

  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !args[1].matches("[1-9][0-9]*")) {
      System.err.println("usage: Main sequential|java THREADS");
      System.exit(2);
    }
    Library library = args[0].equals("sequential") ? new Sequential() : new ForkJoin(Integer.parseInt(args[1]));
    System.out.println("weft-rival 1");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      System.gc();
      try {
        String result = run(library, words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        System.out.printf(Locale.ROOT, "{\"seconds\": %.9f, \"result\": \"%s\"}%n", elapsed, result);
      } catch (IllegalArgumentException e) {
        System.out.printf("{\"error\": \"%s\"}%n", e.getMessage());
      }
      System.out.flush();
    }
    System.exit(0);
  }
}
