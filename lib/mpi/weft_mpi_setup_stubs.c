/* Beginning and end, the lock, errors, communicators. */
#include "weft_mpi_stubs.h"
#include <caml/callback.h>
#include <caml/fail.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;

void weft_mpi_lock(void) { pthread_mutex_lock(&big); }
int weft_mpi_try_enter(void) { return pthread_mutex_trylock(&big) == 0; }
void weft_mpi_leave(void) { pthread_mutex_unlock(&big); }

void weft_mpi_enter(void)
{
  if (weft_mpi_try_enter()) return;
  caml_enter_blocking_section();
  pthread_mutex_lock(&big);
  caml_leave_blocking_section();
}

static int is_over = 0;

int weft_mpi_is_over(void) { return is_over; }

static value text_of(int code)
{
  char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  weft_mpi_enter();
  if (is_over || MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  weft_mpi_leave();
  return caml_alloc_initialized_string(length, text);
}

void weft_mpi_check(int code, const char *call)
{
  if (code == MPI_SUCCESS) return;
  CAMLparam0();
  CAMLlocalN(arguments, 3);
  arguments[0] = caml_copy_string(call);
  arguments[1] = Val_int(code);
  arguments[2] = text_of(code);
  caml_raise_with_args(*caml_named_value("weft_mpi_failed"), 3, arguments);
  CAMLnoreturn;
}

value weft_mpi_truncated(value unit) { return Val_int(MPI_ERR_TRUNCATE); }

value weft_mpi_error_text(value code) { return text_of(Int_val(code)); }

/* --- beginning and end --- */

static int level_of(int provided)
{
  return provided >= MPI_THREAD_SERIALIZED ? 2 : provided >= MPI_THREAD_FUNNELED ? 1 : 0;
}

/* Libraries under MPI (UCX) install handlers of SIGSEGV and the like, to print reports. What OCaml has installed must stay: it may turn a
   full stack into an exception. */
static int init_thread(int level, int *provided)
{
  static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
  struct sigaction before[4];
  for (int i = 0; i < 4; i++) sigaction(signals[i], NULL, &before[i]);
  int code = MPI_Init_thread(NULL, NULL, level, provided);
  for (int i = 0; i < 4; i++) sigaction(signals[i], &before[i], NULL);
  return code;
}

/* 0: single, 1: funneled, 2: serialized. -1: MPI has been finalized. */
value weft_mpi_init(value wanted)
{
  int done = 0, over = 0, provided = 0, code = MPI_SUCCESS;
  int level = Int_val(wanted) == 1 ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED;
  caml_enter_blocking_section();
  weft_mpi_lock();
  MPI_Initialized(&done);
  MPI_Finalized(&over);
  if (over) provided = -1;
  else if (done) MPI_Query_thread(&provided);
  else code = init_thread(level, &provided);
  if (code == MPI_SUCCESS && !over) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }
  weft_mpi_leave();
  caml_leave_blocking_section();
  weft_mpi_check(code, "MPI_Init_thread");
  return Val_int(over ? -1 : level_of(provided));
}

value weft_mpi_finalize(value unit)
{
  int over = 0, code = MPI_SUCCESS;
  caml_enter_blocking_section();
  weft_mpi_lock();
  MPI_Finalized(&over);
  if (!over) {
    weft_mpi_end_progress();
    code = MPI_Finalize();
  }
  is_over = 1;
  weft_mpi_leave();
  caml_leave_blocking_section();
  weft_mpi_check(code, "MPI_Finalize");
  return Val_unit;
}

/* Without the lock: its holder may be waiting for what will never come. */
value weft_mpi_abort(value code)
{
  MPI_Abort(MPI_COMM_WORLD, Int_val(code));
  return Val_unit;
}

value weft_mpi_named_handler(value name)
{
  const value *handler = caml_named_value(String_val(name));
  return handler == NULL ? Val_none : caml_alloc_some(*handler);
}

value weft_mpi_processor_name(value unit)
{
  char name[MPI_MAX_PROCESSOR_NAME + 1];
  int length = 0;
  weft_mpi_enter();
  int code = MPI_Get_processor_name(name, &length);
  weft_mpi_leave();
  weft_mpi_check(code, "MPI_Get_processor_name");
  return caml_alloc_initialized_string(length, name);
}

/* --- communicators --- */

value weft_mpi_world(value unit)
{
  MPI_Comm world = MPI_COMM_WORLD;
  return PACK(world);
}

value weft_mpi_rank(value comm)
{
  int rank = 0;
  weft_mpi_enter();
  int code = MPI_Comm_rank(weft_mpi_comm(comm), &rank);
  weft_mpi_leave();
  weft_mpi_check(code, "MPI_Comm_rank");
  return Val_int(rank);
}

value weft_mpi_comm_size(value comm)
{
  int size = 0;
  weft_mpi_enter();
  int code = MPI_Comm_size(weft_mpi_comm(comm), &size);
  weft_mpi_leave();
  weft_mpi_check(code, "MPI_Comm_size");
  return Val_int(size);
}

/* The calls below wait for the other ranks: their callers see first that all have come. */

/* 0 stands for no communicator. */
static value made(MPI_Comm new, int code, const char *call)
{
  weft_mpi_leave();
  caml_leave_blocking_section();
  weft_mpi_check(code, call);
  return new == MPI_COMM_NULL ? Val_int(0) : PACK(new);
}

value weft_mpi_dup(value comm)
{
  MPI_Comm old = weft_mpi_comm(comm), new = MPI_COMM_NULL;
  caml_enter_blocking_section();
  weft_mpi_lock();
  int code = MPI_Comm_dup(old, &new);
  return made(new, code, "MPI_Comm_dup");
}

/* The new communicator is written into [cell], which OCaml keeps, when the request completes. */
value weft_mpi_idup(value cell, value comm)
{
  CAMLparam1(cell);
  MPI_Request request = MPI_REQUEST_NULL;
  weft_mpi_enter();
  int code = MPI_Comm_idup(weft_mpi_comm(comm), (MPI_Comm *)Caml_ba_data_val(cell), &request);
  weft_mpi_leave();
  weft_mpi_check(code, "MPI_Comm_idup");
  CAMLreturn(PACK(request));
}

value weft_mpi_comm_in(value cell)
{
  MPI_Comm new = *(MPI_Comm *)Caml_ba_data_val(cell);
  return PACK(new);
}

/* A negative colour: this rank is in none. */
value weft_mpi_split(value comm, value color, value key)
{
  MPI_Comm old = weft_mpi_comm(comm), new = MPI_COMM_NULL;
  int c = Int_val(color) < 0 ? MPI_UNDEFINED : Int_val(color), k = Int_val(key);
  caml_enter_blocking_section();
  weft_mpi_lock();
  int code = MPI_Comm_split(old, c, k, &new);
  return made(new, code, "MPI_Comm_split");
}

value weft_mpi_split_by_node(value comm)
{
  MPI_Comm old = weft_mpi_comm(comm), new = MPI_COMM_NULL;
  caml_enter_blocking_section();
  weft_mpi_lock();
  int rank = 0, code = MPI_Comm_rank(old, &rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_split_type(old, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &new);
  return made(new, code, "MPI_Comm_split_type");
}

value weft_mpi_comm_free(value comm)
{
  MPI_Comm old = weft_mpi_comm(comm);
  caml_enter_blocking_section();
  weft_mpi_lock();
  int code = MPI_Comm_free(&old);
  weft_mpi_leave();
  caml_leave_blocking_section();
  weft_mpi_check(code, "MPI_Comm_free");
  return Val_unit;
}
