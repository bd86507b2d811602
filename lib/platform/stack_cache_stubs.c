/* The stacks of fibers: those that a domain keeps for later, see stack_cache.mli; room on the present one, see stack_room.mli;
   what lies below it, see refused_effects.mli. */
#define CAML_INTERNALS
#include <caml/version.h>
#include <caml/mlvalues.h>
#include <caml/domain_state.h>
#include <caml/fiber.h>
#include <caml/gc_ctrl.h>
#include <pthread.h>
#include <stdatomic.h>

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

static pthread_mutex_t limit_lock = PTHREAD_MUTEX_INITIALIZER;

/* Odd while the limit is lifted. */
static atomic_uint lifted = 0;

/* The program's limit, not that of a growth that is under way. */
static uintnat stack_limit(void)
{
  unsigned before = atomic_load(&lifted);
  uintnat limit = atomic_load(&caml_max_stack_wsize);
  if (before % 2 == 0 && atomic_load(&lifted) == before) return limit;
  pthread_mutex_lock(&limit_lock);
  limit = atomic_load(&caml_max_stack_wsize);
  pthread_mutex_unlock(&limit_lock);
  return limit;
}

/* The limit is lifted for this one growth, which doubles the stack; it is for a stack that has not grown so yet. */
static int grow_beyond_limit(uintnat size, intnat words)
{
  pthread_mutex_lock(&limit_lock);
  uintnat limit = atomic_load(&caml_max_stack_wsize), higher = 2 * size + 1;
  int grown = 0;
  if (size < 2 * limit) {
    atomic_fetch_add(&lifted, 1);
    atomic_store(&caml_max_stack_wsize, higher);
    grown = caml_try_realloc_stack(words);
    /* Unless the program has set another one meanwhile. */
    atomic_compare_exchange_strong(&caml_max_stack_wsize, &higher, limit);
    atomic_fetch_add(&lifted, 1);
  }
  pthread_mutex_unlock(&limit_lock);
  return grown;
}

static uintnat stack_size(struct stack_info *s) { return Stack_high(s) - Stack_base(s); }

value weft_stack_may_grow(value unit)
{
  (void)unit;
  return Val_bool(stack_size(Caml_state->current_stack) < stack_limit());
}

/* The handler at the bottom of a fiber is none of the program's; it has [Fiber_stack.failed] for exceptions, and
   no other handler has. */
value weft_handlers_around(value failed)
{
  struct stack_info *s = Caml_state->current_stack;
  return Val_bool(Stack_parent(s) != NULL && Stack_handle_exception(s) != failed);
}

/* Not [@@noalloc]: then the stack pointer is in the record. */
value weft_has_stack_room(value words)
{
  struct stack_info *s = Caml_state->current_stack;
  if ((value *)s->sp - Stack_threshold_ptr(s) >= Long_val(words)) return Val_true;
  return Val_bool(grow_beyond_limit(stack_size(s), Long_val(words)));
}
