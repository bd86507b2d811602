/** What both programs compute in their own ways. Cutoff 0: none. */
interface Library {
  long fib(int n, int cutoff);

  long queens(int n, int cutoff);

  /** Sets element k to Plain.irregular(k), for all. */
  void forIrregular(long[] results);

  /** Plain.multiplyRow for each row. */
  void multiply(double[][] a, double[][] b, double[][] c);

  double sum(double[] a);
}
