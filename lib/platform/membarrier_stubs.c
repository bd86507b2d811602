/* Memory barriers: see membarrier.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <errno.h>
#include <stdatomic.h>
#include "stubs.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __NR_membarrier
#define WEFT_MEMBARRIER 1
/* From linux/membarrier.h, which old systems do not install. */
enum { MB_QUERY = 0, MB_PRIVATE_EXPEDITED = 1 << 3, MB_REGISTER_PRIVATE_EXPEDITED = 1 << 4 };
static int membarrier(int command) { return (int)syscall(__NR_membarrier, command, 0, 0); }
#endif
#endif

/* Whether the processor keeps the order of a thread's stores, and of its loads (total store order). */
value weft_total_store_order(value unit)
{
#ifdef __x86_64__
  return Val_true;
#else
  return Val_false;
#endif
}

/* Asks for the expedited private barrier, registers this process for it and issues it once.
   0: all three worked; otherwise the errno of the step that did not, or -1 where there is no such call. */
value weft_membarrier_setup(value unit)
{
#ifdef WEFT_MEMBARRIER
  int offered = membarrier(MB_QUERY);
  if (offered < 0) return Val_int(errno);
  if (!(offered & MB_PRIVATE_EXPEDITED)) return Val_int(ENOSYS);
  if (membarrier(MB_REGISTER_PRIVATE_EXPEDITED) != 0) return Val_int(errno);
  if (membarrier(MB_PRIVATE_EXPEDITED) != 0) return Val_int(errno);
  return Val_int(0);
#else
  return Val_int(-1);
#endif
}

/* The average cost of a barrier, in ticks; at first a guess. One that took longer than this has probably lost its processor
   meanwhile, and does not count. */
#define HIGHEST_COST 40000
static _Atomic intnat cost = 8000;
intnat weft_barrier_ticks(void) { return atomic_load_explicit(&cost, memory_order_relaxed); }

/* A full memory barrier on every processor that runs a thread of this process, this one included. */
value weft_membarrier(value unit)
{
#ifdef WEFT_MEMBARRIER
  intnat start = weft_ticks(Val_unit), was = weft_barrier_ticks();
  membarrier(MB_PRIVATE_EXPEDITED);
  intnat took = weft_ticks(Val_unit) - start;
  if (took >= 0 && took < HIGHEST_COST) atomic_store_explicit(&cost, was + (took - was) / 8, memory_order_relaxed);
#endif
  atomic_thread_fence(memory_order_seq_cst);
  return Val_unit;
}

/* A full memory barrier on this processor. */
value weft_fence(value unit)
{
  atomic_thread_fence(memory_order_seq_cst);
  return Val_unit;
}
