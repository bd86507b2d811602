/* The processors that threads of this process may run on: see machine.mli, processors_now. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>

#ifdef __linux__
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A mask of 16384 processors, more than Linux has; the kernel refuses masks that are too small for the machine. */
enum { WORDS = 256 };
struct mask { unsigned long words[WORDS]; };

/* Of the thread [id]; the part that the kernel does not fill in is zero. */
static int get(pid_t id, struct mask *m)
{
  memset(m, 0, sizeof *m);
  return sched_getaffinity(id, sizeof *m, (cpu_set_t *)m) == 0;
}

/* Adds those of all threads; returns whether [self] was among them. */
static int add_all(DIR *threads, pid_t self, struct mask *sum)
{
  struct mask one;
  struct dirent *entry;
  int seen = 0;
  while ((entry = readdir(threads)) != NULL) {
    pid_t id = (pid_t)atol(entry->d_name); /* 0 of "." and ".." */
    if (id == 0 || !get(id, &one)) continue; /* it may have ended meanwhile */
    if (id == self) seen = 1;
    for (int i = 0; i < WORDS; i++) sum->words[i] |= one.words[i];
  }
  return seen;
}

static int count(struct mask *m)
{
  int n = 0;
  for (int i = 0; i < WORDS; i++) n += __builtin_popcountl(m->words[i]);
  return n;
}
#endif

/* 0: not known. If the threads cannot be listed, or if /proc numbers them as another namespace does: those of the first
   thread, whose number is that of the process. */
value weft_allowed_to_threads(value unit)
{
#ifdef __linux__
  struct mask first, all;
  pid_t self = getpid();
  if (!get(self, &first)) return Val_int(0);
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return Val_int(count(&first));
  all = first;
  int complete = add_all(threads, self, &all);
  closedir(threads);
  return Val_int(count(complete ? &all : &first));
#else
  return Val_int(0);
#endif
}
