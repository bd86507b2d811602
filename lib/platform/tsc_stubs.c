/* A cheap clock: see ticks.mli. */
#include <caml/mlvalues.h>
#include "stubs.h"

/* With virtual time, each reading is later by what a loop takes for a long block. */
static intnat virtual_ticks(void)
{
  static intnat ticks;
  return ticks += 10000;
}

#if defined(__x86_64__)
#include <x86intrin.h>
intnat weft_ticks(value unit) { return weft_virtual_time != 0 ? virtual_ticks() : (intnat)(__rdtsc() >> 1); }
#else
#include <time.h>
intnat weft_ticks(value unit)
{
  if (weft_virtual_time != 0) return virtual_ticks();
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (intnat)t.tv_sec * 1000000000 + t.tv_nsec;
}
#endif

value weft_ticks_boxed(value unit) { return Val_long(weft_ticks(unit)); }

value weft_pause(intnat ticks)
{
  intnat start = weft_ticks(Val_unit);
  /* Unsigned: on a processor whose count is behind, it is over. */
  do WEFT_RELAX();
  while ((uintnat)(weft_ticks(Val_unit) - start) < (uintnat)ticks);
  return Val_unit;
}

value weft_pause_boxed(value ticks) { return weft_pause(Long_val(ticks)); }
