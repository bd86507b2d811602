/* Requests: posting messages, testing, cancelling; memory outside of OCaml's heap. */
#include "weft_mpi_stubs.h"
#include <caml/fail.h>
#include <caml/intext.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__x86_64__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() atomic_signal_fence(memory_order_seq_cst)
#endif

/* --- types --- */

MPI_Datatype weft_mpi_type(value array)
{
  switch (Caml_ba_array_val(array)->flags & CAML_BA_KIND_MASK) {
  case CAML_BA_FLOAT32: return MPI_FLOAT;
  case CAML_BA_FLOAT64: return MPI_DOUBLE;
  case CAML_BA_SINT8: return MPI_INT8_T;
  case CAML_BA_UINT8: case CAML_BA_CHAR: return MPI_UINT8_T;
  case CAML_BA_SINT16: return MPI_INT16_T;
  case CAML_BA_UINT16: return MPI_UINT16_T;
  case CAML_BA_INT32: return MPI_INT32_T;
  case CAML_BA_INT64: case CAML_BA_CAML_INT: case CAML_BA_NATIVE_INT: return MPI_INT64_T;
  case CAML_BA_COMPLEX32: return MPI_C_FLOAT_COMPLEX;
  case CAML_BA_COMPLEX64: return MPI_C_DOUBLE_COMPLEX;
  default: return MPI_UINT16_T; /* floats of 16 bits: they can be moved, not added up */
  }
}

size_t weft_mpi_size(value array)
{
  int size = 0;
  MPI_Type_size(weft_mpi_type(array), &size);
  return (size_t)size;
}

/* More elements of one type are not sent as such; tests set it lower. */
static intnat max_count = INT_MAX;

value weft_mpi_set_max_count(value n)
{
  max_count = Long_val(n);
  return Val_unit;
}

int weft_mpi_large_count_of(struct weft_mpi_large_count *large, MPI_Datatype type, intnat count)
{
  large->type = type;
  large->count = (int)count;
  large->made = 0;
  if (count <= max_count) return MPI_SUCCESS;
  MPI_Aint least, extent;
  int code = MPI_Type_get_extent(type, &least, &extent);
  MPI_Datatype parts[2] = { MPI_DATATYPE_NULL, MPI_DATATYPE_NULL }, block = MPI_DATATYPE_NULL;
  int lengths[2] = { 1, 1 };
  MPI_Aint at[2] = { 0, (count / max_count) * max_count * extent };
  if (code == MPI_SUCCESS) code = MPI_Type_contiguous((int)max_count, type, &block);
  if (code == MPI_SUCCESS) code = MPI_Type_contiguous((int)(count / max_count), block, &parts[0]);
  if (code == MPI_SUCCESS) code = MPI_Type_contiguous((int)(count % max_count), type, &parts[1]);
  if (code == MPI_SUCCESS) code = MPI_Type_create_struct(2, lengths, at, parts, &large->type);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&large->type);
  if (block != MPI_DATATYPE_NULL) MPI_Type_free(&block);
  for (int i = 0; i < 2; i++)
    if (parts[i] != MPI_DATATYPE_NULL) MPI_Type_free(&parts[i]);
  large->count = 1;
  large->made = code == MPI_SUCCESS;
  return code;
}

void weft_mpi_large_count_done(struct weft_mpi_large_count *large)
{
  if (large->made) MPI_Type_free(&large->type);
}

/* --- messages --- */

static value post(int sends, value array, value first, value count, value rank, value tag, value comm)
{
  CAMLparam1(array);
  MPI_Request request = MPI_REQUEST_NULL;
  struct weft_mpi_large_count large;
  weft_mpi_enter();
  int code = weft_mpi_large_count_of(&large, weft_mpi_type(array), Long_val(count));
  char *data = (char *)Caml_ba_data_val(array) + Long_val(first) * weft_mpi_size(array);
  int peer = Int_val(rank), of_tag = Int_val(tag);
  MPI_Comm c = weft_mpi_comm(comm);
  if (code == MPI_SUCCESS)
    code = sends ? MPI_Isend(data, large.count, large.type, peer, of_tag, c, &request)
                 : MPI_Irecv(data, large.count, large.type, peer, of_tag, c, &request);
  weft_mpi_large_count_done(&large);
  CAMLreturn(weft_mpi_posted(request, code, sends ? "MPI_Isend" : "MPI_Irecv"));
}

value weft_mpi_isend(value array, value first, value count, value rank, value tag, value comm)
{
  return post(1, array, first, count, rank, tag, comm);
}

/* For messages that are known not to be longer. */
value weft_mpi_irecv(value array, value first, value count, value rank, value tag, value comm)
{
  return post(0, array, first, count, rank, tag, comm);
}

value weft_mpi_isend_bytecode(value *a, int n) { return weft_mpi_isend(a[0], a[1], a[2], a[3], a[4], a[5]); }
value weft_mpi_irecv_bytecode(value *a, int n) { return weft_mpi_irecv(a[0], a[1], a[2], a[3], a[4], a[5]); }

/* --- completion --- */

/* The status of a request that has completed, from [at] on, as in raw.mli. The array holds immediates only. */
static void write_status(value out, intnat at, const MPI_Status *status, int code)
{
  MPI_Count bytes = 0;
  if (code == MPI_SUCCESS) MPI_Get_elements_x(status, MPI_BYTE, &bytes);
  Field(out, at) = Val_long(bytes < 0 ? 0 : bytes);
  Field(out, at + 1) = Val_int(status->MPI_SOURCE);
  Field(out, at + 2) = Val_int(status->MPI_TAG);
  Field(out, at + 3) = Val_int(code);
}

/* Whether a message is there that nobody else has matched: then its status is written, and the answer stands for it; 0 if not. Negative ranks and
   tags stand for any. Keeps the runtime. */
value weft_mpi_match(value rank, value tag, value comm, value out)
{
  if (!weft_mpi_try_enter()) return Val_int(0);
  int from = Int_val(rank) < 0 ? MPI_ANY_SOURCE : Int_val(rank), with = Int_val(tag) < 0 ? MPI_ANY_TAG : Int_val(tag);
  int found = 0;
  MPI_Message message;
  MPI_Status status;
  int code = MPI_Improbe(from, with, weft_mpi_comm(comm), &found, &message, &status);
  if (code != MPI_SUCCESS) Field(out, 3) = Val_int(code);
  else if (found) write_status(out, 0, &status, MPI_SUCCESS);
  weft_mpi_leave();
  return code == MPI_SUCCESS && found ? PACK(message) : Val_int(0);
}

/* The array has room for it. */
value weft_mpi_imrecv(value array, value count, value matched)
{
  CAMLparam1(array);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message;
  struct weft_mpi_large_count large;
  UNPACK(matched, message);
  weft_mpi_enter();
  int code = weft_mpi_large_count_of(&large, weft_mpi_type(array), Long_val(count));
  if (code == MPI_SUCCESS) code = MPI_Imrecv(Caml_ba_data_val(array), large.count, large.type, &message, &request);
  weft_mpi_large_count_done(&large);
  CAMLreturn(weft_mpi_posted(request, code, "MPI_Imrecv"));
}

/* Tests up to [times]; keeps the runtime, so [times] is small. */
value weft_mpi_test(value request, value out, value times)
{
  MPI_Request r;
  UNPACK(request, r);
  for (intnat i = Long_val(times); i > 0; i--) {
    if (weft_mpi_try_enter()) {
      int done = 0;
      MPI_Status status = { 0 };
      int code = MPI_Test(&r, &done, &status);
      if (done || code != MPI_SUCCESS) write_status(out, 0, &status, code);
      weft_mpi_leave();
      if (done || code != MPI_SUCCESS) return Val_true;
    }
    RELAX();
  }
  if (Long_val(times) > 1) sched_yield();
  return Val_false;
}

/* Of the thread that polls alone. */
static struct { MPI_Request *requests; MPI_Status *statuses; int *done; int room; } polled;

static int make_room(int n)
{
  if (n <= polled.room) return 1;
  int room = n < 64 ? 64 : 2 * n;
  MPI_Request *requests = realloc(polled.requests, room * sizeof *requests);
  if (requests) polled.requests = requests;
  MPI_Status *statuses = realloc(polled.statuses, room * sizeof *statuses);
  if (statuses) polled.statuses = statuses;
  int *done = realloc(polled.done, room * sizeof *done);
  if (done) polled.done = done;
  if (!requests || !statuses || !done) return 0;
  polled.room = room;
  return 1;
}

/* A receive that nothing is sent to: to test it makes MPI go on with what other ranks want of this one. (MPICH does not do that when a
   completed request is tested, nor in MPI_Iprobe.) */
static MPI_Request never = MPI_REQUEST_NULL;

#ifdef OPEN_MPI
#define TESTS_MAKE_PROGRESS 1
#else
#define TESTS_MAKE_PROGRESS 0
#endif

static void progress(void)
{
  int flag;
  if (never == MPI_REQUEST_NULL) MPI_Irecv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &never);
  MPI_Test(&never, &flag, MPI_STATUS_IGNORE);
}

void weft_mpi_end_progress(void)
{
  if (never == MPI_REQUEST_NULL) return;
  MPI_Cancel(&never);
  MPI_Wait(&never, MPI_STATUS_IGNORE);
}

/* Tests the first [n] requests until some have completed, [times] at most. Writes for each its index and its status; returns how
   many, or -1 - an error code. */
value weft_mpi_poll(value requests, value n_, value out, value times_)
{
  CAMLparam2(requests, out);
  int n = Int_val(n_), times = Int_val(times_), count = 0, code = MPI_SUCCESS;
  if (!make_room(n)) caml_raise_out_of_memory();
  for (int i = 0; i < n; i++) UNPACK(Field(requests, i), polled.requests[i]);
  caml_enter_blocking_section();
  for (int round = 0; round < times && count == 0; round++) {
    weft_mpi_lock();
    if (weft_mpi_is_over()) times = 0;
    else {
      if (n == 0 || (round == 0 && !TESTS_MAKE_PROGRESS)) progress();
      if (n > 0) code = MPI_Testsome(n, polled.requests, &count, polled.done, polled.statuses);
    }
    weft_mpi_leave();
    if (count == MPI_UNDEFINED) count = 0;
    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) break;
    for (int i = 0; count == 0 && i < 40; i++) RELAX();
  }
  caml_leave_blocking_section();
  for (int i = 0; i < count; i++) {
    Field(out, 5 * i) = Val_int(polled.done[i]);
    write_status(out, 5 * i + 1, &polled.statuses[i], code == MPI_ERR_IN_STATUS ? polled.statuses[i].MPI_ERROR : MPI_SUCCESS);
  }
  CAMLreturn(code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS ? Val_int(-1 - code) : Val_int(count));
}

/* --- memory --- */

/* Copies between OCaml's heap and a buffer; byte offsets. Floats of a float array lie side by side. */
value weft_mpi_copy_in(value from, value at, value array, value first, value bytes)
{
  memcpy((char *)Caml_ba_data_val(array) + Long_val(first), (char *)Op_val(from) + Long_val(at), Long_val(bytes));
  return Val_unit;
}

value weft_mpi_copy_out(value array, value first, value to, value at, value bytes)
{
  memcpy((char *)Op_val(to) + Long_val(at), (char *)Caml_ba_data_val(array) + Long_val(first), Long_val(bytes));
  return Val_unit;
}

/* A marshalled value, in memory of its own. */
value weft_mpi_marshal(value v, value flags)
{
  char *data;
  intnat length;
  caml_output_value_to_malloc(v, flags, &data, &length);
  return caml_ba_alloc_dims(CAML_BA_CHAR | CAML_BA_C_LAYOUT | CAML_BA_MANAGED, 1, data, length);
}

value weft_mpi_unmarshal(value array, value first, value length)
{
  CAMLparam1(array);
  CAMLreturn(caml_input_value_from_block((char *)Caml_ba_data_val(array) + Long_val(first), Long_val(length)));
}
