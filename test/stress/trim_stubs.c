/* What the measurement of memory needs. */

#define CAML_INTERNALS
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <caml/mlvalues.h>
#include <caml/domain.h>

/* Gives free memory of malloc back to the system, where the C library can. */
value stress_trim(value unit) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return unit;
}

/* Whether no other domain runs. */
value stress_is_alone(value unit) {
  return Val_bool(caml_domain_alone());
}
