#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <sys/mman.h>

/* Whether so many bytes of address space can be had now, under whatever limits there are. */
value weft_has_address_space(value bytes)
{
  size_t size = Long_val(bytes);
  void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return Val_false;
  munmap(p, size);
  return Val_true;
}
