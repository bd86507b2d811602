final class Sequential implements Library {
  public long fib(int n, int cutoff) {
    return Plain.fib(n);
  }

  public long queens(int n, int cutoff) {
    return Plain.queens(n, n, null);
  }

  public void forIrregular(long[] results) {
    for (int k = 0; k < results.length; k++) results[k] = Plain.irregular(k);
  }

  public void multiply(double[][] a, double[][] b, double[][] c) {
    for (int i = 0; i < a.length; i++) Plain.multiplyRow(a[i], b, c[i]);
  }

  public double sum(double[] a) {
    return Plain.sum(a);
  }
}
