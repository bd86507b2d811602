/** The plain programs. */
final class Plain {
  private Plain() {}

  static long fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  /** The columns of the queens placed so far, that of the last row first. */
  record Board(int column, Board rest) {}

  private static boolean isSafe(int column, Board board) {
    for (int distance = 1; board != null; board = board.rest, distance++)
      if (board.column == column || Math.abs(board.column - column) == distance) return false;
    return true;
  }

  static int nextSafe(int n, Board board, int column) {
    while (column < n && !isSafe(column, board)) column++;
    return column;
  }

  static long queens(int n, int rows, Board board) {
    return rows == 0 ? 1 : queensFrom(n, rows, board, 0);
  }

  private static long queensFrom(int n, int rows, Board board, int column) {
    column = nextSafe(n, board, column);
    if (column == n) return 0;
    long here = queens(n, rows - 1, new Board(column, board));
    return here + queensFrom(n, rows, board, column + 1);
  }

  /** What iteration k, from 0, of for_irregular computes. */
  static long irregular(int k) {
    return fib(10 + Math.floorMod(k + 1 - 10, 30));
  }

  static double[][] matrix(int n, int byRow, int byColumn, int modulus) {
    double[][] m = new double[n][n];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = (byRow * i + byColumn * j) % modulus;
    return m;
  }

  /** ci + ai b for one row: along the rows of b. */
  static void multiplyRow(double[] ai, double[][] b, double[] ci) {
    for (int k = 0; k < ai.length; k++) {
      double x = ai[k];
      double[] bk = b[k];
      for (int j = 0; j < ci.length; j++) ci[j] += x * bk[j];
    }
  }

  static double sum(double[] a) {
    double sum = 0;
    for (double x : a) sum += x;
    return sum;
  }
}
