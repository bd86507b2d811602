/* Arrays whose first touch is left to the caller: see fresh.mli. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/alloc.h>
#include <caml/memory.h>
#include <stdatomic.h>

value weft_fresh_raw(value n) { return caml_alloc_shr(Long_val(n), Abstract_tag); }

/* The collector marks blocks by changing bits of their headers, perhaps right now: hence the loop. */
value weft_fresh_seal(value block)
{
  header_t was = atomic_load(Hp_atomic_val(block));
  while (!atomic_compare_exchange_weak(Hp_atomic_val(block), &was, was & ~(header_t)0xff)) { }
  return Val_unit;
}
