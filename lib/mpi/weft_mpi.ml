module Mpi = Mpi
