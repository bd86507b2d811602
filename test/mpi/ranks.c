/* How many ranks mpirun starts, by MPI alone: each prints it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  int n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  printf("%d\n", n);
  return MPI_Finalize();
}
