/* A binary semaphore per waiting thread: see parker.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/alloc.h>
#include <caml/custom.h>
#include <caml/fail.h>
#include <caml/signals.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include "stubs.h"

enum { EMPTY = 0, TOKEN = 1, WAITING = 2 };
enum { GOT_TOKEN = 0, TIMED_OUT = 1, INTERRUPTED = 2 };

/* How long a thread that handles signals waits at a time, in nanoseconds: see parker.mli. */
static const int64_t slice = 100000000;

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
struct parker { _Atomic uint32_t state; int interruptible; atomic_int holders; };
static int parker_init(struct parker *p) { atomic_init(&p->state, EMPTY); return 0; }
static void parker_done(struct parker *p) { (void)p; }

static void wake(struct parker *p)
{
  if (atomic_exchange(&p->state, TOKEN) == WAITING)
    syscall(SYS_futex, &p->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Waiting until the exchange in [wait]: a thread on its way into or out of the system call counts, and gets the token. */
static int wake_waiting(struct parker *p)
{
  uint32_t seen = WAITING;
  if (!atomic_compare_exchange_strong(&p->state, &seen, TOKEN)) return 0;
  syscall(SYS_futex, &p->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return 1;
}

static int wait(struct parker *p, int64_t nanoseconds)
{
  int sliced = p->interruptible && (nanoseconds < 0 || nanoseconds > slice);
  if (sliced) nanoseconds = slice;
  struct timespec limit = { nanoseconds / 1000000000, nanoseconds % 1000000000 };
  uint32_t seen = EMPTY;
  if (!atomic_compare_exchange_strong(&p->state, &seen, WAITING)) {
    atomic_store(&p->state, EMPTY);
    return GOT_TOKEN;
  }
  long r = syscall(SYS_futex, &p->state, FUTEX_WAIT_PRIVATE, WAITING, nanoseconds < 0 ? NULL : &limit, NULL, 0);
  int why = errno;
  /* Whatever the call says, the state decides: a token that came with the time-out is not lost. */
  if (atomic_exchange(&p->state, EMPTY) == TOKEN) return GOT_TOKEN;
  return r != 0 && why == ETIMEDOUT && !sliced ? TIMED_OUT : INTERRUPTED;
}
#else
#include <pthread.h>
struct parker {
  _Atomic uint32_t state;
  int interruptible;
  atomic_int holders;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};
static int parker_init(struct parker *p)
{
  atomic_init(&p->state, EMPTY);
  return pthread_mutex_init(&p->mutex, NULL) || pthread_cond_init(&p->condition, NULL);
}
static void parker_done(struct parker *p) { pthread_cond_destroy(&p->condition); pthread_mutex_destroy(&p->mutex); }

static void wake(struct parker *p)
{
  pthread_mutex_lock(&p->mutex);
  atomic_store(&p->state, TOKEN);
  pthread_cond_signal(&p->condition);
  pthread_mutex_unlock(&p->mutex);
}

static int wake_waiting(struct parker *p)
{
  pthread_mutex_lock(&p->mutex);
  int waiting = atomic_load(&p->state) == WAITING;
  if (waiting) {
    atomic_store(&p->state, TOKEN);
    pthread_cond_signal(&p->condition);
  }
  pthread_mutex_unlock(&p->mutex);
  return waiting;
}

/* A condition variable does not tell of signals at all: every wait is sliced. */
static int wait(struct parker *p, int64_t nanoseconds)
{
  int64_t length = nanoseconds < 0 || nanoseconds > slice ? slice : nanoseconds;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += length / 1000000000;
  until.tv_nsec += length % 1000000000;
  if (until.tv_nsec >= 1000000000) { until.tv_sec++; until.tv_nsec -= 1000000000; }
  int r = 0;
  pthread_mutex_lock(&p->mutex);
  if (atomic_load(&p->state) != TOKEN) atomic_store(&p->state, WAITING);
  while (atomic_load(&p->state) != TOKEN && r == 0) r = pthread_cond_timedwait(&p->condition, &p->mutex, &until);
  int got = atomic_exchange(&p->state, EMPTY) == TOKEN;
  pthread_mutex_unlock(&p->mutex);
  return got ? GOT_TOKEN : nanoseconds >= 0 && nanoseconds <= slice ? TIMED_OUT : INTERRUPTED;
}
#endif

#define Parker_val(v) (*(struct parker **)Data_custom_val(v))

struct parker *weft_parker_of(value v) { return Parker_val(v); }

struct parker *weft_parker_keep(value v)
{
  struct parker *p = Parker_val(v);
  atomic_fetch_add(&p->holders, 1);
  return p;
}

void weft_parker_drop(struct parker *p)
{
  if (atomic_fetch_sub(&p->holders, 1) > 1) return;
  parker_done(p);
  free(p);
}

void weft_parker_give(struct parker *p) { wake(p); }
int weft_parker_give_waiting(struct parker *p) { return wake_waiting(p); }

static void finalize(value v) { weft_parker_drop(Parker_val(v)); }

static struct custom_operations operations = {
  "weft.parker", finalize, custom_compare_default, custom_hash_default, custom_serialize_default,
  custom_deserialize_default, custom_compare_ext_default, custom_fixed_length_default
};

value weft_parker_make(value interruptible)
{
  struct parker *p = NULL;
  if (posix_memalign((void **)&p, 128, 128) != 0 || parker_init(p) != 0) caml_raise_out_of_memory();
  p->interruptible = Bool_val(interruptible);
  atomic_init(&p->holders, 1);
  value v = caml_alloc_custom(&operations, sizeof p, 0, 1);
  Parker_val(v) = p;
  return v;
}

value weft_unpark(value v)
{
  wake(Parker_val(v));
  return Val_unit;
}

value weft_unpark_waiting(value v) { return Val_bool(wake_waiting(Parker_val(v))); }

value weft_park(value v, value nanoseconds)
{
  CAMLparam1(v); /* keeps the memory of the parker alive while this thread is outside the runtime */
  struct parker *p = Parker_val(v);
  int64_t limit = Long_val(nanoseconds);
  caml_enter_blocking_section();
  int r = wait(p, limit);
  caml_leave_blocking_section();
  CAMLreturn(Val_int(r));
}
