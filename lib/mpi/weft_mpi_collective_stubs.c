/* Collectives, all without waiting, and windows. Where both arrays are the same, MPI works in place. */
#include "weft_mpi_stubs.h"

MPI_Op weft_mpi_op(value op)
{
  switch (Int_val(op)) {
  case 0: return MPI_SUM;
  case 1: return MPI_PROD;
  case 2: return MPI_MIN;
  case 3: return MPI_MAX;
  case 4: return MPI_BAND;
  case 5: return MPI_BOR;
  default: return MPI_BXOR;
  }
}

#define DATA(array) Caml_ba_data_val(array)
#define LENGTH(array) ((int)weft_mpi_length(array))

value weft_mpi_ibarrier(value comm)
{
  MPI_Request request = MPI_REQUEST_NULL;
  weft_mpi_enter();
  int code = MPI_Ibarrier(weft_mpi_comm(comm), &request);
  return weft_mpi_posted(request, code, "MPI_Ibarrier");
}

value weft_mpi_ibcast(value array, value first, value count, value root, value comm)
{
  CAMLparam1(array);
  MPI_Request request = MPI_REQUEST_NULL;
  weft_mpi_enter();
  char *data = (char *)DATA(array) + Long_val(first) * weft_mpi_size(array);
  int code = MPI_Ibcast(data, Int_val(count), weft_mpi_type(array), Int_val(root), weft_mpi_comm(comm), &request);
  CAMLreturn(weft_mpi_posted(request, code, "MPI_Ibcast"));
}

static const void *input(value from, value to) { return DATA(from) == DATA(to) ? MPI_IN_PLACE : DATA(from); }

value weft_mpi_ireduce(value from, value to, value op, value root, value comm)
{
  CAMLparam2(from, to);
  MPI_Request request = MPI_REQUEST_NULL;
  int rank = 0;
  weft_mpi_enter();
  int code = MPI_Comm_rank(weft_mpi_comm(comm), &rank);
  const void *data = rank == Int_val(root) ? input(from, to) : DATA(from);
  if (code == MPI_SUCCESS)
    code = MPI_Ireduce(data, DATA(to), LENGTH(from), weft_mpi_type(from), weft_mpi_op(op), Int_val(root),
                       weft_mpi_comm(comm), &request);
  CAMLreturn(weft_mpi_posted(request, code, "MPI_Ireduce"));
}

#define TO_ALL(name, function, call)                                                                            \
  value name(value from, value to, value op, value comm)                                                        \
  {                                                                                                             \
    CAMLparam2(from, to);                                                                                       \
    MPI_Request request = MPI_REQUEST_NULL;                                                                     \
    weft_mpi_enter();                                                                                           \
    int code = function(input(from, to), DATA(to), LENGTH(from), weft_mpi_type(from), weft_mpi_op(op),          \
                        weft_mpi_comm(comm), &request);                                                         \
    CAMLreturn(weft_mpi_posted(request, code, call));                                                                    \
  }

TO_ALL(weft_mpi_iallreduce, MPI_Iallreduce, "MPI_Iallreduce")
TO_ALL(weft_mpi_iscan, MPI_Iscan, "MPI_Iscan")
TO_ALL(weft_mpi_iexscan, MPI_Iexscan, "MPI_Iexscan")

/* The part of each rank is as long as the shorter array. */

#define PARTS(call_name, array, length, call)                                                                   \
  {                                                                                                             \
    CAMLparam2(from, to);                                                                                       \
    MPI_Request request = MPI_REQUEST_NULL;                                                                     \
    struct weft_mpi_large_count part;                                                                           \
    weft_mpi_enter();                                                                                           \
    int code = weft_mpi_large_count_of(&part, weft_mpi_type(array), length);                                    \
    if (code == MPI_SUCCESS) code = call;                                                                       \
    weft_mpi_large_count_done(&part);                                                                           \
    CAMLreturn(weft_mpi_posted(request, code, call_name));                                                      \
  }

value weft_mpi_igather(value from, value to, value root, value comm)
PARTS("MPI_Igather", from, weft_mpi_length(from),
      MPI_Igather(DATA(from), part.count, part.type, DATA(to), part.count, part.type, Int_val(root),
                  weft_mpi_comm(comm), &request))

value weft_mpi_iscatter(value from, value to, value root, value comm)
PARTS("MPI_Iscatter", to, weft_mpi_length(to),
      MPI_Iscatter(DATA(from), part.count, part.type, DATA(to), part.count, part.type, Int_val(root),
                   weft_mpi_comm(comm), &request))

value weft_mpi_iallgather(value from, value to, value comm)
PARTS("MPI_Iallgather", from, weft_mpi_length(from),
      MPI_Iallgather(DATA(from), part.count, part.type, DATA(to), part.count, part.type, weft_mpi_comm(comm),
                     &request))

value weft_mpi_ialltoall(value from, value to, value length, value comm)
PARTS("MPI_Ialltoall", from, Long_val(length),
      MPI_Ialltoall(DATA(from), part.count, part.type, DATA(to), part.count, part.type, weft_mpi_comm(comm),
                    &request))

/* Counts and offsets stand in an array of 32-bit integers that OCaml keeps until the end. */

value weft_mpi_iallgatherv(value from, value count, value to, value counts, value comm)
{
  CAMLparam3(from, to, counts);
  MPI_Request request = MPI_REQUEST_NULL;
  weft_mpi_enter();
  int *c = DATA(counts), n = LENGTH(counts) / 2;
  int code = MPI_Iallgatherv(DATA(from), Int_val(count), weft_mpi_type(from), DATA(to), c, c + n,
                             weft_mpi_type(from), weft_mpi_comm(comm), &request);
  CAMLreturn(weft_mpi_posted(request, code, "MPI_Iallgatherv"));
}

/* --- windows --- */

value weft_mpi_is_direct_on_a_node(value unit)
{
#ifdef OPEN_MPI
  return Val_true;
#else
  return Val_false;
#endif
}

/* [slots] integers of 64 bits at this rank, all 0. Every rank may access all others' until the window is freed. */
value weft_mpi_win_make(value slots, value comm)
{
  MPI_Win win = MPI_WIN_NULL;
  MPI_Comm c = weft_mpi_comm(comm);
  MPI_Aint bytes = 8 * (MPI_Aint)Long_val(slots);
  void *base = NULL;
  caml_enter_blocking_section();
  weft_mpi_lock();
  int code = MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, c, &base, &win);
  if (code == MPI_SUCCESS) {
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    memset(base, 0, (size_t)bytes);
    code = MPI_Win_lock_all(0, win);
    if (code == MPI_SUCCESS) code = MPI_Win_sync(win);
  }
  weft_mpi_leave();
  caml_leave_blocking_section();
  weft_mpi_check(code, "MPI_Win_allocate");
  return PACK(win);
}

/* [cell]: the operand, and where the old contents go. 0: add, 1: read, 2: exchange. */
value weft_mpi_fetch(value cell, value op, value rank, value slot, value window)
{
  CAMLparam1(cell);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Win win;
  UNPACK(window, win);
  MPI_Op o = Int_val(op) == 0 ? MPI_SUM : Int_val(op) == 1 ? MPI_NO_OP : MPI_REPLACE;
  weft_mpi_enter();
  int64_t *data = DATA(cell);
  int code = MPI_Rget_accumulate(data, 1, MPI_INT64_T, data + 1, 1, MPI_INT64_T, Int_val(rank), Long_val(slot), 1,
                                 MPI_INT64_T, o, win, &request);
  CAMLreturn(weft_mpi_posted(request, code, "MPI_Rget_accumulate"));
}

value weft_mpi_win_free(value window)
{
  MPI_Win win;
  UNPACK(window, win);
  caml_enter_blocking_section();
  weft_mpi_lock();
  int code = MPI_Win_unlock_all(win);
  if (code == MPI_SUCCESS) code = MPI_Win_free(&win);
  weft_mpi_leave();
  caml_leave_blocking_section();
  weft_mpi_check(code, "MPI_Win_free");
  return Val_unit;
}
