/* What the C files of this library know of each other. */
#ifndef WEFT_MPI_STUBS_H
#define WEFT_MPI_STUBS_H
#define _GNU_SOURCE
#define CAML_NAME_SPACE
#include <mpi.h>
#include <string.h>
#include <stdint.h>
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/alloc.h>
#include <caml/bigarray.h>
#include <caml/signals.h>

/* MPI is called with SERIALIZED: by one thread at a time, the one that holds this lock.

   Nobody who holds it waits for OCaml's runtime for longer than a collection takes: [weft_mpi_enter] gives the runtime up before it
   waits for the lock, and what OCaml's heap contains is read after it. */
void weft_mpi_enter(void);
int weft_mpi_try_enter(void);
void weft_mpi_leave(void);
/* The same for threads that have given the runtime up themselves. */
void weft_mpi_lock(void);

/* Before MPI is finalized, with the lock. */
void weft_mpi_end_progress(void);

/* Whether MPI has been finalized, for a thread that holds the lock. */
int weft_mpi_is_over(void);

/* Raises [Raw.Error] unless the code is [MPI_SUCCESS]; the lock is free. */
void weft_mpi_check(int code, const char *call);

/* Handles of MPI are pointers (Open MPI) or of type int (MPICH). OCaml sees an immediate: pointers are even, and get the bit that is 0
   in them. */
static inline value weft_mpi_pack(const void *handle, size_t size)
{
  if (size == sizeof(intptr_t)) {
    intptr_t p;
    memcpy(&p, handle, size);
    return (value)(p | 1);
  }
  int i;
  memcpy(&i, handle, size);
  return Val_int(i);
}

static inline void weft_mpi_unpack(value v, void *handle, size_t size)
{
  if (size == sizeof(intptr_t)) {
    intptr_t p = (intptr_t)v & ~(intptr_t)1;
    memcpy(handle, &p, size);
  } else {
    int i = Int_val(v);
    memcpy(handle, &i, size);
  }
}

#define PACK(handle) weft_mpi_pack(&(handle), sizeof(handle))
#define UNPACK(v, handle) weft_mpi_unpack((v), &(handle), sizeof(handle))

static inline MPI_Comm weft_mpi_comm(value v)
{
  MPI_Comm c;
  UNPACK(v, c);
  return c;
}

/* What a function that posts a request returns; it holds the lock, and OCaml keeps its arrays. */
static inline value weft_mpi_posted(MPI_Request request, int code, const char *call)
{
  weft_mpi_leave();
  weft_mpi_check(code, call);
  return PACK(request);
}

/* Of the elements of a Bigarray. */
MPI_Datatype weft_mpi_type(value array);
size_t weft_mpi_size(value array);
static inline intnat weft_mpi_length(value array) { return (intnat)caml_ba_num_elts(Caml_ba_array_val(array)); }

MPI_Op weft_mpi_op(value op);

/* More elements than an int counts are one element of a type made for them. */
struct weft_mpi_large_count { MPI_Datatype type; int count; int made; };
int weft_mpi_large_count_of(struct weft_mpi_large_count *large, MPI_Datatype type, intnat count);
void weft_mpi_large_count_done(struct weft_mpi_large_count *large);

#endif
