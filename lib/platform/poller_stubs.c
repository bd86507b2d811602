/* The thread that waits for descriptors: see poller.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/signals.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h> /* siginfo_t */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "stubs.h"

enum state { FREE, WAITING, READY };

struct slot {
  int fd; /* negative: that child process, for which a thread of its own waits */
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
static int count, capacity;
static int first_free = -1, first_ready = -1, last_ready = -1;
static int first_unnotified = -1; /* of the ready, whose alarm has not gone off; -1 while the lock is free */
static atomic_int ready; /* how many: read without the lock */
static int started, polling, woken;
static unsigned long rounds;
static int wake_pipe[2] = { -1, -1 }; /* what is written there ends the poll */
static struct child { pid_t pid; struct child *next; } *children; /* each with its thread */

/* What the thread polls: [wake_pipe], then waiting slots. Written by the thread alone, while it
   does not poll. */
static struct pollfd *polled;
static intnat *polled_ids;
static int polled_count, polled_capacity;

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
  return i;
}

static void free_slot(int i)
{
  slots[i].state = FREE;
  slots[i].generation = (slots[i].generation + 1) & 0x3FFFFFFF;
  slots[i].next = first_free;
  first_free = i;
}

/* To be followed by [notify], under the same hold of the lock. */
static void make_ready(int i, int closed)
{
  struct slot *s = &slots[i];
  s->state = READY;
  s->closed = closed;
  s->next = -1;
  if (last_ready >= 0) slots[last_ready].next = i;
  else first_ready = i;
  last_ready = i;
  if (first_unnotified < 0) first_unnotified = i;
  atomic_fetch_add(&ready, 1);
}

/* Lets the alarms of what has become ready since the last call go off. First among the ready, then
   the alarm: who sees the alarm finds the slot. */
static void notify(void)
{
  value last = Val_unit;
  for (int i = first_unnotified; i >= 0; i = slots[i].next) {
    if (slots[i].alarm != last) weft_alarm_go_off(slots[i].alarm);
    last = slots[i].alarm;
  }
  first_unnotified = -1;
}

static void make_all_ready(void)
{
  for (int i = 0; i < count; i++)
    if (slots[i].state == WAITING) make_ready(i, 0);
  notify();
}

/* --- the thread --- */

/* Closed on exec from the first moment, where the system can: another thread may start a program. */
static int open_wake_pipe(void)
{
#ifdef __linux__
  return pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno;
#else
  if (pipe(wake_pipe) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
    fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
#endif
}

static void close_wake_pipe(void)
{
  for (int i = 0; i < 2; i++) {
    if (wake_pipe[i] >= 0) close(wake_pipe[i]);
    wake_pipe[i] = -1;
  }
}

/* The thread that polls looks at the slots again. */
static void wake_poller(void)
{
  if (!polling || woken) return;
  woken = 1;
  while (write(wake_pipe[1], "", 1) < 0 && errno == EINTR) {}
}

static int make_room_to_poll(void)
{
  if (polled_capacity >= count + 1) return 1;
  int larger = 2 * (count + 1);
  struct pollfd *p = realloc(polled, larger * sizeof *p);
  if (p != NULL) polled = p;
  intnat *ids = realloc(polled_ids, larger * sizeof *ids);
  if (ids != NULL) polled_ids = ids;
  if (p == NULL || ids == NULL) return 0;
  polled_capacity = larger;
  return 1;
}

static void fill_polled(void)
{
  polled[0] = (struct pollfd){ .fd = wake_pipe[0], .events = POLLIN };
  polled_count = 1;
  for (int i = 0; i < count; i++) {
    if (slots[i].state != WAITING || slots[i].fd < 0) continue;
    polled[polled_count] = (struct pollfd){ .fd = slots[i].fd, .events = slots[i].events };
    polled_ids[polled_count++] = id_of(i);
  }
}

static void drain_wake_pipe(void)
{
  char some[16];
  while (read(wake_pipe[0], some, sizeof some) > 0) {}
  woken = 0;
}

static void take_ready_of_polled(void)
{
  for (int k = 1; k < polled_count; k++) {
    struct slot *s = polled[k].revents == 0 ? NULL : of_id(polled_ids[k]);
    if (s != NULL && s->state == WAITING) make_ready(s - slots, (polled[k].revents & POLLNVAL) != 0);
  }
  notify();
}

/* The system has refused: more waits than descriptors are allowed (many at one descriptor), or no
   memory. Everybody looks for himself, now and then. */
static void pause_and_wake_all(void)
{
  pthread_mutex_unlock(&lock);
  usleep(10000);
  pthread_mutex_lock(&lock);
  make_all_ready();
}

/* One round; 0 if there was nothing to poll, for long. Who adds a wait meanwhile wakes it. */
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
  int goes_on = !idle || woken;
  if (woken) drain_wake_pipe();
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
  close_wake_pipe();
  started = 0;
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* --- forks: the child has no such thread, and its pipe would be its parent's --- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void)
{
  while (children != NULL) {
    struct child *c = children;
    children = c->next;
    free(c);
  }
  started = polling = woken = 0;
  pthread_cond_init(&round_ended, NULL);
  close_wake_pipe();
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
  int error = open_wake_pipe();
  if (error == 0) error = weft_start_thread(run, NULL);
  if (error == 0) started = 1;
  else close_wake_pipe();
  return error;
}

/* --- waits --- */

value weft_poller_add(value fd, value writes, value alarm)
{
  pthread_mutex_lock(&lock);
  int error = Int_val(fd) < 0 ? EBADF : prepare_for_forks();
  if (error == 0) error = start();
  if (error == 0 && !make_room()) error = ENOMEM;
  intnat id = -error;
  if (error == 0) {
    id = id_of(take_slot(Int_val(fd), Bool_val(writes) ? POLLOUT : POLLIN, alarm));
    wake_poller();
  }
  pthread_mutex_unlock(&lock);
  return Val_long(id);
}

value weft_poller_remove(value id)
{
  pthread_mutex_lock(&lock);
  struct slot *s = of_id(Long_val(id));
  if (s != NULL && s->state == WAITING) {
    free_slot(s - slots);
    wake_poller();
  }
  pthread_mutex_unlock(&lock);
  return Val_unit;
}

value weft_poller_take(value unit)
{
  intnat taken = -1;
  if (atomic_load(&ready) == 0) return Val_long(taken);
  pthread_mutex_lock(&lock);
  if (first_ready >= 0) {
    int i = first_ready;
    first_ready = slots[i].next;
    if (first_ready < 0) last_ready = -1;
    atomic_fetch_sub(&ready, 1);
    taken = id_of(i) << 1 | slots[i].closed;
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
    if (slots[i].state != FREE && slots[i].fd == fd && fd >= 0) {
      /* Of one that is ready and not taken, the number may be another file's when its fiber looks. */
      if (slots[i].state == WAITING) make_ready(i, 1);
      else slots[i].closed = 1;
    }
  notify();
  int held = is_polled(fd);
  unsigned long round = rounds;
  if (held) wake_poller();
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

/* The child stays a zombie: whoever wants its status reaps it. */
static void *wait_for_child(void *argument)
{
  struct child *c = argument;
  siginfo_t info;
#ifdef __linux__
  pthread_setname_np(pthread_self(), "weft-child");
#endif
  while (waitid(P_PID, c->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  pthread_mutex_lock(&lock);
  struct child **link = &children;
  while (*link != c) link = &(*link)->next;
  *link = c->next;
  for (int i = 0; i < count; i++)
    if (slots[i].state == WAITING && slots[i].fd == -c->pid) make_ready(i, 0);
  notify();
  pthread_mutex_unlock(&lock);
  free(c);
  return NULL;
}

/* One thread for each child, however often it is waited for. Under the lock: 0, or an error number. */
static int watch_child(pid_t pid)
{
  struct child *c = children;
  while (c != NULL && c->pid != pid) c = c->next;
  if (c != NULL) return 0;
  c = malloc(sizeof *c);
  if (c == NULL) return ENOMEM;
  *c = (struct child){ pid, children };
  int error = weft_start_thread(wait_for_child, c);
  if (error == 0) children = c;
  else free(c);
  return error;
}

value weft_poller_add_child(value pid, value alarm)
{
  pthread_mutex_lock(&lock);
  int error = prepare_for_forks();
  if (error == 0 && !make_room()) error = ENOMEM;
  if (error == 0) error = watch_child(Int_val(pid));
  intnat id = error == 0 ? id_of(take_slot(-Int_val(pid), 0, alarm)) : -error;
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
  int n = 0;
  for (int i = 0; i < count; i++) n += slots[i].state == WAITING;
  pthread_mutex_unlock(&lock);
  return Val_int(n);
}
