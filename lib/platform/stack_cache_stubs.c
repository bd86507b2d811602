/* The stacks of fibers that a domain keeps for later: see stack_cache.mli. */
#define CAML_INTERNALS
#include <caml/version.h>
#include <caml/mlvalues.h>
#include <caml/domain_state.h>
#include <caml/fiber.h>

value weft_free_cached_stacks(value unit)
{
#if OCAML_VERSION < 50500
  /* The size classes of runtime/fiber.c, a list each, linked by exception_ptr. */
  enum { CLASSES = 5 };
  for (int i = 0; i < CLASSES; i++) {
    struct stack_info *s = Caml_state->stack_cache[i];
    Caml_state->stack_cache[i] = NULL;
    while (s != NULL) {
      struct stack_info *next = (struct stack_info *)(void *)s->exception_ptr;
      s->cache_bucket = -1; /* so that it is not put back */
      caml_free_stack(s);
      s = next;
    }
  }
#endif
  return unit;
}
