/* Gives free memory of malloc back to the system, where the C library can. */

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <caml/mlvalues.h>

value stress_trim(value unit) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return unit;
}
