/* Alarms and the thread that sets them off: see timer_thread.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/fail.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include "stubs.h"

#define LINE 128 /* two cache lines: the adjacent-line prefetcher fetches pairs */
#define NEVER Max_long

struct watcher { value deque; struct parker *parker; };

struct alarm {
  char pad0[LINE - sizeof(header_t)];
  header_t header;
  /* What OCaml sees as a record, in timer_thread.ml's order. [armed] is written under the lock alone. */
  _Atomic value due, armed;
  char pad1[LINE - 2 * sizeof(value)];
  /* C's own part, under the lock. */
  struct watcher *watchers;
  int count, capacity;
  int used;
  struct alarm *next; /* of all alarms there ever were */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell; /* rung when [armed] falls below [until] */
static struct alarm *all;
static intnat until = NEVER; /* what the thread waits for */
static atomic_int started;

static struct alarm *of_value(value v) { return (struct alarm *)(v - offsetof(struct alarm, due)); }

static intnat now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (intnat)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* 0: the real one. Written by the one domain that works while it is not 0: see Explored. */
intnat weft_virtual_time;

value weft_now(value unit) { return Val_long(weft_virtual_time != 0 ? weft_virtual_time : now()); }

value weft_set_virtual_time(value time)
{
  weft_virtual_time = Long_val(time);
  return Val_unit;
}

/* --- the thread; all under the lock --- */

/* Disarmed first: who sees [due], and then arms it anew, must not find it armed for the time that has passed. */
static void go_off(struct alarm *a)
{
  atomic_store(&a->armed, Val_long(NEVER));
  atomic_store(&a->due, Val_true);
  for (int i = 0; i < a->count; i++) weft_deque_request_preempt_on(a->watchers[i].deque);
  for (int i = 0; i < a->count; i++)
    if (weft_parker_give_waiting(a->watchers[i].parker)) return;
  for (int i = 0; i < a->count; i++) weft_parker_give(a->watchers[i].parker);
}

/* Sets off all that are due; the earliest time of the others. */
static intnat look_at_all(void)
{
  intnat earliest = NEVER, time = now();
  for (struct alarm *a = all; a != NULL; a = a->next) {
    intnat armed = Long_val(atomic_load(&a->armed));
    if (armed <= time) go_off(a);
    else if (armed < earliest) earliest = armed;
  }
  return earliest;
}

#ifdef __APPLE__
static int make_bell(void) { return pthread_cond_init(&bell, NULL); }

static void wait_until(intnat time)
{
  intnat left = time - now();
  if (left <= 0) return;
  struct timespec t = { left / 1000000000, left % 1000000000 };
  pthread_cond_timedwait_relative_np(&bell, &lock, &t);
}
#else
static int make_bell(void)
{
  pthread_condattr_t attributes;
  int error = pthread_condattr_init(&attributes);
  if (error == 0) error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (error == 0) error = pthread_cond_init(&bell, &attributes);
  return error;
}

static void wait_until(intnat time)
{
  struct timespec t = { time / 1000000000, time % 1000000000 };
  pthread_cond_timedwait(&bell, &lock, &t);
}
#endif

static void *run(void *nothing)
{
#ifdef __linux__
  pthread_setname_np(pthread_self(), "weft-alarm");
  prctl(PR_SET_TIMERSLACK, 1UL); /* ns, of 50,000 */
#endif
  pthread_mutex_lock(&lock);
  for (;;) {
    until = look_at_all();
    if (until == NEVER) pthread_cond_wait(&bell, &lock);
    else wait_until(until);
  }
  return NULL;
}

/* --- forks: the child has no such thread, and its only thread may have waited for one --- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void)
{
  atomic_store(&started, 0);
  until = NEVER;
  for (struct alarm *a = all; a != NULL; a = a->next)
    if (atomic_load(&a->armed) != Val_long(NEVER)) go_off(a);
  pthread_mutex_unlock(&lock);
}

/* --- starting it --- */

/* Under the lock, as is [start]: 0, or an error number. */
static int prepare_for_forks(void)
{
  static int prepared;
  if (prepared) return 0;
  int error = pthread_atfork(before_fork, after_fork, after_fork_in_child);
  prepared = error == 0;
  return error;
}

static int start(void)
{
  if (atomic_load(&started)) return 0;
  int error = make_bell();
  if (error == 0) error = prepare_for_forks();
  if (error == 0) error = weft_start_thread(run, NULL);
  if (error == 0) atomic_store(&started, 1);
  return error;
}

value weft_alarm_start(value unit)
{
  if (atomic_load(&started)) return Val_int(0);
  pthread_mutex_lock(&lock);
  int error = start();
  pthread_mutex_unlock(&lock);
  return Val_int(error);
}

/* --- for other threads of the library's C code --- */

int weft_alarm_prepare_for_forks(void)
{
  pthread_mutex_lock(&lock);
  int error = prepare_for_forks();
  pthread_mutex_unlock(&lock);
  return error;
}

void weft_alarm_go_off(value v)
{
  struct alarm *a = of_value(v);
  pthread_mutex_lock(&lock);
  if (a->used) go_off(a);
  pthread_mutex_unlock(&lock);
}

/* --- alarms --- */

/* A free one, or a new one at the head of the list. */
static struct alarm *find(void)
{
  struct alarm *a = all;
  while (a != NULL && a->used) a = a->next;
  if (a != NULL) return a;
  if (posix_memalign((void **)&a, LINE, (sizeof(struct alarm) + LINE - 1) / LINE * LINE) != 0) return NULL;
  memset(a, 0, sizeof(struct alarm));
  a->header = Caml_out_of_heap_header(2, 0);
  a->next = all;
  all = a;
  return a;
}

value weft_alarm_make(value unit)
{
  pthread_mutex_lock(&lock);
  struct alarm *a = find();
  if (a != NULL) {
    a->used = 1;
    atomic_store(&a->armed, Val_long(NEVER));
    atomic_store(&a->due, Val_false);
  }
  pthread_mutex_unlock(&lock);
  if (a == NULL) caml_raise_out_of_memory();
  return (value)&a->due;
}

value weft_alarm_free(value v)
{
  struct alarm *a = of_value(v);
  pthread_mutex_lock(&lock);
  atomic_store(&a->armed, Val_long(NEVER));
  atomic_store(&a->due, Val_false);
  for (int i = 0; i < a->count; i++) weft_parker_drop(a->watchers[i].parker);
  free(a->watchers);
  a->watchers = NULL;
  a->count = a->capacity = 0;
  a->used = 0;
  pthread_mutex_unlock(&lock);
  return Val_unit;
}

static int make_room(struct alarm *a)
{
  if (a->count < a->capacity) return 1;
  int capacity = a->capacity == 0 ? 8 : 2 * a->capacity;
  struct watcher *larger = realloc(a->watchers, capacity * sizeof(struct watcher));
  if (larger == NULL) return 0;
  a->watchers = larger;
  a->capacity = capacity;
  return 1;
}

value weft_alarm_watch(value v, value deque, value parker)
{
  struct alarm *a = of_value(v);
  pthread_mutex_lock(&lock);
  int room = make_room(a);
  if (room) {
    struct watcher w = { deque, weft_parker_keep(parker) };
    a->watchers[a->count++] = w;
  }
  pthread_mutex_unlock(&lock);
  if (!room) caml_raise_out_of_memory();
  return Val_unit;
}

/* A child process may find that it has no thread; if none can be started, the alarm stays unset, and the next call tries. */
value weft_alarm_arm(value v, value time)
{
  struct alarm *a = of_value(v);
  pthread_mutex_lock(&lock);
  if (time < atomic_load(&a->armed) && start() == 0) {
    atomic_store(&a->armed, time);
    if (Long_val(time) < until) pthread_cond_signal(&bell);
  }
  pthread_mutex_unlock(&lock);
  return Val_unit;
}

/* Not the runtime's exchange: that is two plain steps as long as there is one domain, and the thread here is none. */
value weft_alarm_take(value v) { return atomic_exchange(&of_value(v)->due, Val_false); }
