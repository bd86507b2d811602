/* The thread that waits for descriptors: see poller.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/signals.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "stubs.h"

enum state { FREE, WAITING, READY, DROPPED /* ready, and nobody wants to know */ };

struct slot {
  int fd; /* -1: a child process, for which a thread of its own waits */
  short events;
  char closed;
  enum state state;
  uint32_t generation; /* 30 bits: a number that comes late names nothing */
  value alarm;
  int next; /* of the free, or of the ready ones; -1 */
};

/* Milliseconds until the thread ends that has nothing to poll. */
static const int linger = 100;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all that follows, but [polled] */
static pthread_cond_t round_ended = PTHREAD_COND_INITIALIZER;
static struct slot *slots;
static int count, capacity, waiting;
static int first_free = -1, first_ready = -1, last_ready = -1;
static int first_unrung = -1; /* the first of the ready whose alarm has not gone off; -1 while the lock is free */
static atomic_int ready; /* how many: read without the lock */
static int started, polling, kicked;
static unsigned long rounds;
static int bell[2] = { -1, -1 }; /* a pipe: what is written there ends the poll */

/* What the thread polls: [bell], then waiting slots. Written by the thread alone, while it does not poll. */
static struct pollfd *polled;
static int *polled_slots, polled_count, polled_capacity;
static uint32_t *polled_generations;

/* --- slots; all under the lock --- */

/* The last 24 bits are the index: 16 million waits at once. */
static intnat id_of(int i) { return (intnat)slots[i].generation << 24 | i; }

static struct slot *of_id(intnat id)
{
  int i = id & 0xFFFFFF;
  return i < count && slots[i].state != FREE && id_of(i) == id ? &slots[i] : NULL;
}

static int make_room(void)
{
  if (first_free >= 0 || count < capacity) return 1;
  int larger = capacity == 0 ? 64 : 2 * capacity;
  if (larger > 1 << 24) return 0;
  struct slot *more = realloc(slots, larger * sizeof(struct slot));
  if (more == NULL) return 0;
  slots = more;
  capacity = larger;
  return 1;
}

/* There is room. */
static int take_slot(int fd, short events, value alarm)
{
  int i = first_free;
  if (i >= 0) first_free = slots[i].next;
  else {
    i = count++;
    slots[i].generation = 0;
  }
  struct slot *s = &slots[i];
  s->fd = fd;
  s->events = events;
  s->closed = 0;
  s->state = WAITING;
  s->alarm = alarm;
  waiting++;
  return i;
}

static void free_slot(int i)
{
  if (slots[i].state == WAITING) waiting--;
  slots[i].state = FREE;
  slots[i].generation = (slots[i].generation + 1) & 0x3FFFFFFF;
  slots[i].next = first_free;
  first_free = i;
}

/* To be followed by [ring], under the same hold of the lock. */
static void make_ready(int i, int closed)
{
  struct slot *s = &slots[i];
  s->state = READY;
  s->closed = closed;
  s->next = -1;
  waiting--;
  if (last_ready >= 0) slots[last_ready].next = i;
  else first_ready = i;
  last_ready = i;
  if (first_unrung < 0) first_unrung = i;
  atomic_fetch_add(&ready, 1);
}

/* The alarms of what has become ready since the last ring. First among the ready, then the alarm: who sees the alarm finds the slot. */
static void ring(void)
{
  value last = Val_unit;
  for (int i = first_unrung; i >= 0; i = slots[i].next) {
    if (slots[i].alarm != last) weft_alarm_go_off(slots[i].alarm);
    last = slots[i].alarm;
  }
  first_unrung = -1;
}

static void make_all_ready(void)
{
  for (int i = 0; i < count; i++)
    if (slots[i].state == WAITING) make_ready(i, 0);
  ring();
}

/* --- the thread --- */

static int open_bell(void)
{
  if (pipe(bell) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    fcntl(bell[i], F_SETFD, FD_CLOEXEC);
    fcntl(bell[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

static void close_bell(void)
{
  for (int i = 0; i < 2; i++) {
    if (bell[i] >= 0) close(bell[i]);
    bell[i] = -1;
  }
}

/* The thread that polls looks at the slots again. */
static void kick(void)
{
  if (!polling || kicked) return;
  kicked = 1;
  while (write(bell[1], "", 1) < 0 && errno == EINTR) {}
}

static int make_room_to_poll(void)
{
  if (polled_capacity >= count + 1) return 1;
  int larger = 2 * (count + 1);
  struct pollfd *p = realloc(polled, larger * sizeof *p);
  if (p != NULL) polled = p;
  int *s = realloc(polled_slots, larger * sizeof *s);
  if (s != NULL) polled_slots = s;
  uint32_t *g = realloc(polled_generations, larger * sizeof *g);
  if (g != NULL) polled_generations = g;
  if (p == NULL || s == NULL || g == NULL) return 0;
  polled_capacity = larger;
  return 1;
}

static void fill_polled(void)
{
  polled[0] = (struct pollfd){ .fd = bell[0], .events = POLLIN };
  polled_count = 1;
  for (int i = 0; i < count; i++) {
    if (slots[i].state != WAITING || slots[i].fd < 0) continue;
    polled[polled_count] = (struct pollfd){ .fd = slots[i].fd, .events = slots[i].events };
    polled_slots[polled_count] = i;
    polled_generations[polled_count++] = slots[i].generation;
  }
}

static void drain_bell(void)
{
  char some[16];
  while (read(bell[0], some, sizeof some) > 0) {}
  kicked = 0;
}

static void take_ready_of_polled(void)
{
  for (int k = 1; k < polled_count; k++) {
    struct slot *s = &slots[polled_slots[k]];
    if (polled[k].revents == 0 || s->state != WAITING || s->generation != polled_generations[k]) continue;
    make_ready(polled_slots[k], (polled[k].revents & POLLNVAL) != 0);
  }
  ring();
}

/* The system has refused: more waits than descriptors are allowed (many at one descriptor), or no memory. Everybody looks for himself,
   now and then. */
static void pause_and_wake_all(void)
{
  pthread_mutex_unlock(&lock);
  usleep(10000);
  pthread_mutex_lock(&lock);
  make_all_ready();
}

/* One round; 0 if there was nothing to poll, for long. Who adds a wait meanwhile kicks. */
static int go_round(void)
{
  if (!make_room_to_poll()) {
    pause_and_wake_all();
    return 1;
  }
  fill_polled();
  polling = 1;
  int idle = polled_count == 1;
  pthread_mutex_unlock(&lock);
  int n = poll(polled, polled_count, idle ? linger : -1), why = errno;
  pthread_mutex_lock(&lock);
  polling = 0;
  rounds++;
  pthread_cond_broadcast(&round_ended);
  int goes_on = !idle || kicked;
  if (kicked) drain_bell();
  if (n > 0) take_ready_of_polled();
  else if (n < 0 && why != EINTR) pause_and_wake_all();
  return goes_on;
}

static void *run(void *nothing)
{
#ifdef __linux__
  pthread_setname_np(pthread_self(), "weft-poller");
#endif
  pthread_mutex_lock(&lock);
  while (go_round()) {}
  close_bell();
  started = 0;
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Signals are for OCaml's threads. */
static int start_thread(void *(*main)(void *), void *argument)
{
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t every, before;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  error = pthread_create(&thread, &attributes, main, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

/* --- forks: the child has no such thread, and its bell would be its parent's --- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void)
{
  started = polling = kicked = 0;
  pthread_cond_init(&round_ended, NULL);
  close_bell();
  /* For nothing: they look, and wait anew. */
  make_all_ready();
  pthread_mutex_unlock(&lock);
}

static int prepare_for_forks(void)
{
  static int prepared;
  if (prepared) return 0;
  int error = weft_alarm_prepare_for_forks();
  if (error == 0) error = pthread_atfork(before_fork, after_fork, after_fork_in_child);
  prepared = error == 0;
  return error;
}

/* Under the lock: 0, or an error number. */
static int start(void)
{
  if (started) return 0;
  int error = open_bell();
  if (error == 0) error = start_thread(run, NULL);
  if (error == 0) started = 1;
  else close_bell();
  return error;
}

/* --- waits --- */

value weft_poller_add(value fd, value writes, value alarm)
{
  pthread_mutex_lock(&lock);
  int error = prepare_for_forks();
  if (error == 0) error = start();
  if (error == 0 && !make_room()) error = ENOMEM;
  intnat id = -error;
  if (error == 0) {
    id = id_of(take_slot(Int_val(fd), Bool_val(writes) ? POLLOUT : POLLIN, alarm));
    kick();
  }
  pthread_mutex_unlock(&lock);
  return Val_long(id);
}

value weft_poller_remove(value id)
{
  pthread_mutex_lock(&lock);
  struct slot *s = of_id(Long_val(id));
  if (s != NULL && s->state == READY) s->state = DROPPED;
  else if (s != NULL && s->state == WAITING) {
    free_slot(s - slots);
    kick();
  }
  pthread_mutex_unlock(&lock);
  return Val_unit;
}

value weft_poller_take(value unit)
{
  intnat taken = -1;
  if (atomic_load(&ready) == 0) return Val_long(taken);
  pthread_mutex_lock(&lock);
  while (taken < 0 && first_ready >= 0) {
    int i = first_ready;
    struct slot *s = &slots[i];
    first_ready = s->next;
    if (first_ready < 0) last_ready = -1;
    atomic_fetch_sub(&ready, 1);
    if (s->state == READY) taken = id_of(i) << 1 | s->closed;
    free_slot(i);
  }
  pthread_mutex_unlock(&lock);
  return Val_long(taken);
}

static int is_polled(int fd)
{
  if (polling)
    for (int k = 1; k < polled_count; k++)
      if (polled[k].fd == fd) return 1;
  return 0;
}

/* Ends the waits for [fd], and returns when the thread does not poll it any more. */
value weft_poller_end_waits(value v)
{
  int fd = Int_val(v);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count; i++)
    if (slots[i].state == WAITING && slots[i].fd == fd) make_ready(i, 1);
  ring();
  int held = is_polled(fd);
  unsigned long round = rounds;
  if (held) kick();
  pthread_mutex_unlock(&lock);
  if (held) {
    caml_enter_blocking_section_no_pending();
    pthread_mutex_lock(&lock);
    while (polling && rounds == round) pthread_cond_wait(&round_ended, &lock);
    pthread_mutex_unlock(&lock);
    caml_leave_blocking_section();
  }
  return Val_unit;
}

/* --- child processes, where a descriptor cannot stand for one --- */

struct child { pid_t pid; intnat id; };

/* The child stays a zombie: whoever wants its status reaps it. */
static void *wait_for_child(void *argument)
{
  struct child c = *(struct child *)argument;
  siginfo_t info;
  free(argument);
  while (waitid(P_PID, c.pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  pthread_mutex_lock(&lock);
  struct slot *s = of_id(c.id);
  if (s != NULL && s->state == WAITING) make_ready(s - slots, 0);
  ring();
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Under the lock. */
static intnat add_child(pid_t pid, value alarm)
{
  struct child *c = malloc(sizeof *c);
  if (c == NULL || !make_room()) {
    free(c);
    return -ENOMEM;
  }
  int i = take_slot(-1, 0, alarm);
  *c = (struct child){ pid, id_of(i) };
  int error = start_thread(wait_for_child, c);
  if (error == 0) return id_of(i);
  free_slot(i);
  free(c);
  return -error;
}

value weft_poller_add_child(value pid, value alarm)
{
  pthread_mutex_lock(&lock);
  int error = prepare_for_forks();
  intnat id = error == 0 ? add_child(Int_val(pid), alarm) : -error;
  pthread_mutex_unlock(&lock);
  return Val_long(id);
}

/* --- for tests --- */

value weft_poller_runs(value unit)
{
  pthread_mutex_lock(&lock);
  int runs = started;
  pthread_mutex_unlock(&lock);
  return Val_bool(runs);
}

value weft_poller_count(value unit)
{
  pthread_mutex_lock(&lock);
  int n = waiting;
  pthread_mutex_unlock(&lock);
  return Val_int(n);
}
