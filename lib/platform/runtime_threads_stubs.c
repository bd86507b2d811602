/* Whether the system has room for the threads of a domain. Where a limit may be near it is tried: how many threads count against it,
   nobody tells, and what their stacks and heaps take of the address space depends on the C library. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

/* A domain is two, and its parent has a second one from its first child on. The others are left to threads that the program starts
   meanwhile itself, and to other programs under the same limit. */
#define THREADS (3 + 3)

/* So many are not started between the look and the start. */
#define MARGIN 256

/* Bytes of address space that are left beside a domain's threads: for the heaps of malloc of new threads, and for the program's values. */
#define LEFT_BESIDE ((size_t)384 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Lives until all others have been made. */
static void *thread(void *id)
{
  *(pid_t *)id = (pid_t)syscall(SYS_gettid);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* A thread that has been joined counts until the kernel no longer knows it. */
static void await_end(pthread_t thread, const pid_t *id)
{
  pthread_join(thread, NULL);
  for (int i = 0; i < 1000 && syscall(SYS_tgkill, getpid(), *id, 0) == 0; i++) sched_yield();
}

static int is_address_space_limited(void)
{
  struct rlimit space;
  return getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur != RLIM_INFINITY;
}

static int is_address_space_left(void)
{
  if (!is_address_space_limited()) return 1;
  void *beside = mmap(NULL, LEFT_BESIDE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return beside != MAP_FAILED && munmap(beside, LEFT_BESIDE) == 0;
}

value weft_is_room_for_domain(value unit)
{
  (void)unit;
  pthread_t threads[THREADS];
  pid_t ids[THREADS];
  sigset_t every, before;
  int made = 0;
  /* A new thread inherits the mask: signals are for OCaml's threads. */
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  pthread_mutex_lock(&lock);
  while (made < THREADS && pthread_create(&threads[made], NULL, thread, &ids[made]) == 0) made++;
  int is_room = made == THREADS && is_address_space_left();
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < made; i++) await_end(threads[i], &ids[i]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return Val_bool(is_room);
}

/* A limit is far if all threads of the machine together do not reach it. */
static int is_far(rlim_t limit)
{
  struct sysinfo machine;
  return limit == RLIM_INFINITY || (sysinfo(&machine) == 0 && machine.procs + (rlim_t)MARGIN < limit);
}

value weft_is_thread_limit_near(value group)
{
  struct rlimit user;
  return Val_bool(is_address_space_limited() || getrlimit(RLIMIT_NPROC, &user) != 0 || !is_far(user.rlim_cur)
                  || !is_far((rlim_t)Long_val(group)));
}
#else
value weft_is_thread_limit_near(value group) { (void)group; return Val_false; }
value weft_is_room_for_domain(value unit) { (void)unit; return Val_true; }
#endif
