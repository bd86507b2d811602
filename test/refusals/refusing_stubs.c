/* Has the kernel refuse system calls to this process and to whatever it becomes (seccomp): OCaml has no function for it. */
#include <caml/mlvalues.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static const struct { const char *name; int number; } calls[] = {
  { "membarrier", __NR_membarrier },
  { "sched_getaffinity", __NR_sched_getaffinity },
  { "sched_setaffinity", __NR_sched_setaffinity },
  { "getcpu", __NR_getcpu },
  { "prctl", __NR_prctl },
  { "sysinfo", __NR_sysinfo },
  { "getrusage", __NR_getrusage },
  { "madvise", __NR_madvise },
  { "clone3", __NR_clone3 },
  { "clone", __NR_clone },
};

static const struct { const char *name; int number; } errors[] = { { "EPERM", EPERM }, { "ENOSYS", ENOSYS }, { "EAGAIN", EAGAIN } };

#define FIND(table, wanted)                                                                                            \
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)                                                            \
    if (strcmp(table[i].name, wanted) == 0) return table[i].number;                                                    \
  return -1

static int call_of(const char *name) { FIND(calls, name); }
static int error_of(const char *name) { FIND(errors, name); }

/* Whether the kernel has agreed to refuse it. */
value refusing_refuse(value call, value error)
{
  int number = call_of(String_val(call)), code = error_of(String_val(error));
  struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
  if (number < 0 || code < 0) return Val_false;
  return Val_bool(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}
