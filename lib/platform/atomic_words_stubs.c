/* Atomic elements of an array: see atomic_words.mli. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/domain.h>
#include <stdatomic.h>

/* The words hold tagged integers, which are in the order of the integers. */
typedef _Atomic intnat word;

static word *word_at(value a, intnat i) { return (word *)&Field(a, i); }

/* As in the runtime's caml_atomic_exchange and its neighbours, where the fences are explained; on x86 they are no instructions. While
   there is only one domain, no other thread runs OCaml code or changes the word: then a plain store will do. */
#define FENCED(result, operation)               \
  do {                                          \
    atomic_thread_fence(memory_order_acquire);  \
    result = (operation);                       \
    atomic_thread_fence(memory_order_release);  \
  } while (0)

static intnat load(word *w) { return atomic_load_explicit(w, memory_order_relaxed); }
static void store(word *w, intnat x) { atomic_store_explicit(w, x, memory_order_relaxed); }

value weft_atomic_words_get(value a, intnat i)
{
  atomic_thread_fence(memory_order_acquire);
  return atomic_load(word_at(a, i));
}

value weft_atomic_words_exchange(value a, intnat i, value x)
{
  word *w = word_at(a, i);
  intnat was;
  if (caml_domain_alone()) {
    was = load(w);
    store(w, x);
  } else
    FENCED(was, atomic_exchange(w, x));
  return was;
}

value weft_atomic_words_cas(value a, intnat i, value was, value x)
{
  word *w = word_at(a, i);
  intnat expected = was;
  int done;
  if (caml_domain_alone()) {
    done = load(w) == expected;
    if (done) store(w, x);
  } else
    FENCED(done, atomic_compare_exchange_strong(w, &expected, x));
  return Val_bool(done);
}

value weft_atomic_words_fetch_and_add(value a, intnat i, value n)
{
  word *w = word_at(a, i);
  /* n is tagged: the sum has one tag. Unsigned, since it may wrap around. */
  uintnat added = (uintnat)n - 1;
  intnat was;
  if (caml_domain_alone()) {
    was = load(w);
    store(w, (intnat)((uintnat)was + added));
  } else
    FENCED(was, atomic_fetch_add(w, (intnat)added));
  return was;
}

/* Writes x while it is less, or greater, than what is there. */
static inline value improve(value a, intnat i, intnat x, int less)
{
  word *w = word_at(a, i);
  intnat was = atomic_load(w);
  int done = 0;
  while (!done && (less ? x < was : x > was)) {
    if (caml_domain_alone()) {
      store(w, x);
      done = 1;
    } else
      FENCED(done, atomic_compare_exchange_weak(w, &was, x));
  }
  return Val_bool(done);
}

value weft_atomic_words_lower(value a, intnat i, value x) { return improve(a, i, x, 1); }
value weft_atomic_words_raise(value a, intnat i, value x) { return improve(a, i, x, 0); }

/* For bytecode. */
value weft_atomic_words_get_boxed(value a, value i) { return weft_atomic_words_get(a, Long_val(i)); }
value weft_atomic_words_exchange_boxed(value a, value i, value x) { return weft_atomic_words_exchange(a, Long_val(i), x); }
value weft_atomic_words_cas_boxed(value a, value i, value was, value x) { return weft_atomic_words_cas(a, Long_val(i), was, x); }
value weft_atomic_words_fetch_and_add_boxed(value a, value i, value n) { return weft_atomic_words_fetch_and_add(a, Long_val(i), n); }
value weft_atomic_words_lower_boxed(value a, value i, value x) { return weft_atomic_words_lower(a, Long_val(i), x); }
value weft_atomic_words_raise_boxed(value a, value i, value x) { return weft_atomic_words_raise(a, Long_val(i), x); }
