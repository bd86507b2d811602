/* The C side of ping_pong.ml, which says what is measured: the same exchanges by MPI's blocking calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double exchange(char *a, int n, int rounds, int rank)
{
  MPI_Barrier(MPI_COMM_WORLD);
  double before = MPI_Wtime();
  for (int i = 0; i < rounds; i++)
    if (rank == 0) {
      MPI_Send(a, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(a, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(a, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(a, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
  return (MPI_Wtime() - before) / rounds * 1e6;
}

static double reduce(double *a, double *b, int n, int rounds)
{
  MPI_Barrier(MPI_COMM_WORLD);
  double before = MPI_Wtime();
  for (int i = 0; i < rounds; i++) MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return (MPI_Wtime() - before) / rounds * 1e6;
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  size_t n = 1 << 23;
  char *a = malloc(n), *b = malloc(n);
  /* Written, and not with zeros, which the compiler would turn into calloc: its pages are all the same one. */
  memset(a, 1, n);
  memset(b, 1, n);
  int sizes[] = { 8, 1 << 20 }, rounds[] = { 20000, 500 };
  for (int i = 0; i < 2; i++) {
    exchange(a, sizes[i], rounds[i] / 10, rank);
    double us = exchange(a, sizes[i], rounds[i], rank);
    if (rank == 0) printf("C     ping-pong %8d bytes %10.2f us\n", sizes[i], us);
  }
  int lengths[] = { 1, 1 << 20 }, times[] = { 20000, 50 };
  for (int i = 0; i < 2; i++) {
    reduce((double *)a, (double *)b, lengths[i], times[i] / 10);
    double us = reduce((double *)a, (double *)b, lengths[i], times[i]);
    if (rank == 0) printf("C     allreduce %8d bytes %10.2f us\n", 8 * lengths[i], us);
  }
  MPI_Finalize();
  return 0;
}
