/* What the kernel says of a thread's time: see thread_clock.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/alloc.h>
#include <caml/custom.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#endif

/* [state] is 2 for each read under way, and 1 if the clock is closed. No read begins once it is closed, so the state comes
   to CLOSED alone exactly once: at the closing, or when the last read that was under way ends. Whoever brings it there
   closes the descriptor: none is closed under a reader's hands, and no number is used after it has been closed. */
enum { CLOSED = 1, READING = 2 };

/* It lies in the OCaml block itself. The block may be moved only while no domain is between two safepoints; no stub below
   has one. */
struct clock {
  _Atomic uint32_t state;
  int fd;
  dev_t dev; /* what was opened: see [ours] */
  ino_t ino;
};

#define Clock_val(v) ((struct clock *)Data_custom_val(v))

/* Whether the descriptor still is what was opened. A program may close descriptors that it does not know (closefrom), and
   open others under their numbers: those are neither read nor closed. */
static int ours(struct clock *c)
{
  struct stat now;
  return fstat(c->fd, &now) == 0 && now.st_dev == c->dev && now.st_ino == c->ino;
}

static void give_back(struct clock *c) { if (ours(c)) close(c->fd); }

static void close_clock(struct clock *c)
{
  if (atomic_fetch_or(&c->state, CLOSED) == 0) give_back(c);
}

static int begin_read(struct clock *c)
{
  uint32_t seen = atomic_load(&c->state);
  do if (seen & CLOSED) return 0;
  while (!atomic_compare_exchange_weak(&c->state, &seen, seen + READING));
  return 1;
}

static void end_read(struct clock *c)
{
  if (atomic_fetch_sub(&c->state, READING) == (READING | CLOSED)) give_back(c);
}

static void finalize(value v) { close_clock(Clock_val(v)); }

static struct custom_operations operations = {
  "weft.thread_clock", finalize, custom_compare_default, custom_hash_default, custom_serialize_default,
  custom_deserialize_default, custom_compare_ext_default, custom_fixed_length_default
};

/* A number and the byte that must follow it. NULL if that is not what there is, or if OCaml has no such number. */
static const char *number(const char *text, char then, intnat *result)
{
  intnat n = 0;
  if (*text < '0' || '9' < *text) return NULL;
  for (; '0' <= *text && *text <= '9'; text++) {
    int digit = *text - '0';
    if (n > (Max_long - digit) / 10) return NULL;
    n = n * 10 + digit;
  }
  *result = n;
  return *text == then ? text + 1 : NULL;
}

/* "ran waited slices". No slice: this kernel does not count (the thread that opened the file had run). */
static int parse(const char *text, intnat *ran, intnat *waited)
{
  intnat slices;
  return (text = number(text, ' ', ran)) != NULL && (text = number(text, ' ', waited)) != NULL
         && (text = number(text, '\n', &slices)) != NULL && *text == 0 && slices > 0;
}

/* The file of a thread that has ended cannot be read any more (ESRCH), whatever has its number by now. */
static int read_clock(struct clock *c, intnat *ran, intnat *waited)
{
  char text[128];
  ssize_t got;
  if (!ours(c)) return 0;
  do got = pread(c->fd, text, sizeof text - 1, 0);
  while (got < 0 && errno == EINTR);
  if (got <= 0) return 0;
  text[got] = 0;
  return parse(text, ran, waited);
}

value weft_thread_clock_read(value v, value reading)
{
  struct clock *c = Clock_val(v);
  intnat ran, waited;
  if (!begin_read(c)) return Val_false;
  int known = read_clock(c, &ran, &waited);
  end_read(c);
  if (!known) return Val_false;
  /* Not by caml_modify: both fields are integers. */
  *Op_val(reading) = Val_long(ran);
  *(Op_val(reading) + 1) = Val_long(waited);
  return Val_true;
}

value weft_thread_clock_close(value v)
{
  close_clock(Clock_val(v));
  return Val_unit;
}

/* Not as one of the three standard numbers, which programs take as they please; and not kept by programs that are executed. */
static int open_high(const char *path)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fd > 2) return fd;
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
  return high;
}

static value clock_of_descriptor(int fd)
{
  value v = caml_alloc_custom(&operations, sizeof(struct clock), 0, 1);
  struct clock *c = Clock_val(v);
  struct stat opened;
  memset(c, 0, sizeof *c);
  if (fd >= 0 && fstat(fd, &opened) == 0) {
    c->fd = fd;
    c->dev = opened.st_dev;
    c->ino = opened.st_ino;
    atomic_init(&c->state, 0);
  } else {
    if (fd >= 0) close(fd);
    c->fd = -1;
    atomic_init(&c->state, CLOSED);
  }
  return v;
}

value weft_thread_clock_none(value unit) { return clock_of_descriptor(-1); }
value weft_thread_clock_of_file(value path) { return clock_of_descriptor(open_high(String_val(path))); }

value weft_thread_clock_of_self(value unit)
{
  int fd = -1;
#ifdef __linux__
  fd = open_high("/proc/thread-self/schedstat");
  if (fd < 0 && errno == ENOENT) { /* before Linux 3.17 */
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", (long)syscall(SYS_gettid));
    fd = open_high(path);
  }
#endif
  return clock_of_descriptor(fd);
}

value weft_thread_clock_use(value usage)
{
#ifdef __linux__
  struct timespec ran;
  struct rusage r;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) != 0 || getrusage(RUSAGE_THREAD, &r) != 0) return Val_false;
  *Op_val(usage) = Val_long((intnat)ran.tv_sec * 1000000000 + ran.tv_nsec);
  *(Op_val(usage) + 1) = Val_long(r.ru_nvcsw);
  return Val_true;
#else
  return Val_false;
#endif
}
