#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Whether so many bytes of address space can be had now, under whatever limits there are. */
value weft_has_address_space(value bytes)
{
  size_t size = Long_val(bytes);
  void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return Val_false;
  munmap(p, size);
  return Val_true;
}

/* In glibc, each thread reserves 64 MB of address space for malloc. Where that is limited, all threads share what
   the first one has, unless the user has decided. */
value weft_share_address_space(value unit)
{
#ifdef __GLIBC__
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && getenv("MALLOC_ARENA_MAX") == NULL)
    mallopt(M_ARENA_MAX, 1);
#endif
  return Val_unit;
}
