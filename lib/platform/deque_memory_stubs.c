/* The memory of the work-stealing deques: see deque_memory.mli. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/fail.h>
#include <caml/roots.h>
#include <caml/domain.h>
#include <caml/domain_state.h>
#include <caml/major_gc.h>
#include <caml/version.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "stubs.h"

/* A ring is one block outside the heap: a header, field 0 the index mask, then the slots. Field 0 makes one pointer
   enough for a thief: it can never pair a ring with the mask of another. */
struct ring {
  struct ring *older; /* rings it replaced; thieves may still read them, so they live as long as the deque */
  header_t header;
  value mask;
  value slots[];
};

#define LINE 128 /* two cache lines: the adjacent-line prefetcher fetches pairs */

struct deque {
  char pad0[LINE - sizeof(header_t)];
  header_t header;
  /* What OCaml sees as a record, in deque_memory.ml's order; thieves read its first cache line only. Written by the owner
     alone, but for preempt and limit: see weft_deque_request_preempt_on. */
  value bottom, limit, ring, mask, top, wake, id, deferred, context, preempt, loops, forks;
  char pad1[LINE - 12 * sizeof(value) - sizeof(header_t)];
  header_t top_header;
  value top_field; /* what OCaml sees as an int Atomic.t; on a line of its own, since thieves write it */
  char pad2[LINE - sizeof(value)];
  /* See weft_deque_ask. Other threads write these two words, so each has its own line. */
  struct deque *_Atomic asker; /* the deque of the thief that asks for the eldest job, or NULL */
  char pad3[LINE - sizeof(struct deque *)];
  _Atomic value reply; /* to the owner as a thief, by its victim */
  char pad4[LINE - sizeof(value)];
  /* C's own part. */
  struct ring *rings;
  uintnat domain; /* unique id of the domain that scans the deque, NO_DOMAIN: nobody's, it is empty */
  caml_domain_state *_Atomic state; /* of that domain, or NULL. OCaml 5.2 to 5.5 never free a domain's state */
  int held; /* limit stays 0; written before the deque has an owner */
  int collections_left; /* until sleeper gets a token; 0: none is counted */
  struct parker *sleeper;
  struct deque *next_free;
};

#define NO_DOMAIN ((uintnat)-1)

value weft_deque_make_room(value deque);

static header_t outside(mlsize_t words, tag_t tag) { return Caml_out_of_heap_header(words, tag); }

static void *aligned(size_t bytes)
{
  void *p = NULL;
  if (posix_memalign(&p, LINE, (bytes + LINE - 1) / LINE * LINE) != 0) return NULL;
  memset(p, 0, bytes);
  return p;
}

static struct deque *of_value(value v) { return (struct deque *)(v - offsetof(struct deque, bottom)); }
static struct ring *ring_of(value v) { return (struct ring *)(v - offsetof(struct ring, mask)); }

/* --- all deques, for the garbage collector --- */

/* Deques are never freed, only used again, so the collector may walk this array at any time. */
#define MAX_DEQUES 65536
static struct deque *_Atomic all[MAX_DEQUES];
static atomic_int count;
static struct deque *free_list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static scan_roots_hook earlier_hook;

/* The jobs in [top, bottom), the context and the loops are roots. The collector calls this in every domain, stopped at a safepoint, and
   no deque operation contains a safepoint, so what the owner writes is steady and consistent. The other domains are stopped, too, but for
   one case: see weft_deque_taken. */
static void scan(scanning_action action, scanning_action_flags flags, void *data, caml_domain_state *domain)
{
  int n = atomic_load(&count), only_young = (flags & SCANNING_ONLY_YOUNG_VALUES) != 0;
  for (int i = 0; i < n; i++) {
    struct deque *d = atomic_load(&all[i]);
    if (d == NULL || d->domain != (uintnat)domain->unique_id) continue;
    /* Once in each minor collection; in a parked domain, by the runtime's backup thread. */
    if (only_young && d->collections_left > 0 && --d->collections_left == 0) weft_parker_give(d->sleeper);
    action(data, d->context, &d->context);
    action(data, d->loops, &d->loops);
    struct ring *r = ring_of(d->ring);
    intnat mask = Long_val(r->mask);
    intnat bottom = Long_val(d->bottom);
    /* A deque may hold a million jobs: at a minor collection most are old, and are not worth a call. */
    for (intnat k = Long_val(d->top_field); k < bottom; k++) {
      value *slot = &r->slots[k & mask];
      if (only_young && !Is_young(*slot)) continue;
      action(data, *slot, slot);
    }
  }
  if (earlier_hook != NULL) earlier_hook(action, flags, data, domain);
}

/* By a thief, right after it has taken a job off the deque of another domain. From OCaml 5.5 on, a domain that has marked its own roots goes
   on while others still mark theirs. So a thief may take a job that the owner has not marked yet, and then it is only where the collector
   has looked already. As when a field is overwritten (caml_modify), who takes the job away marks it. */
value weft_deque_taken(value job)
{
#if OCAML_VERSION >= 50500
  if (caml_marking_started()) caml_darken(Caml_state, job, NULL);
#endif
  return job;
}

/* --- whole operations, for bytecode: see deque_memory.mli --- */

/* Sequentially consistent, so that these serve in both modes of the barriers. */
static intnat top_of(struct deque *d) { return Long_val(atomic_load((_Atomic value *)&d->top_field)); }
static void set_bottom(struct deque *d, intnat b) { atomic_store((_Atomic value *)&d->bottom, Val_long(b)); }

static value *slot_of(struct deque *d, intnat i)
{
  struct ring *r = ring_of(d->ring);
  return &r->slots[i & Long_val(r->mask)];
}

static int take_top(struct deque *d, intnat top)
{
  value was = Val_long(top);
  return atomic_compare_exchange_strong((_Atomic value *)&d->top_field, &was, Val_long(top + 1));
}

/* bottom was b + 1. Whether the owner gets the element b; if not, bottom is b + 1 again. */
static int take_bottom(struct deque *d, intnat b)
{
  set_bottom(d, b);
  intnat top = top_of(d);
  if (top < b) return 1;
  int ours = top == b && take_top(d, top);
  set_bottom(d, b + 1);
  return ours;
}

/* A handler may have pushed since the owner found room. */
value weft_deque_push(value deque, value job)
{
  struct deque *d = of_value(deque);
  intnat b = Long_val(d->bottom);
  if (b - top_of(d) > Long_val(d->mask) && weft_deque_make_room(deque) == Val_false) return Val_false;
  *slot_of(d, b) = job;
  set_bottom(d, b + 1);
  return Val_true;
}

value weft_deque_pop_if(value deque, value job)
{
  struct deque *d = of_value(deque);
  intnat b = Long_val(d->bottom) - 1;
  return Val_bool(*slot_of(d, b) == job && take_bottom(d, b));
}

value weft_deque_pop(value deque, value nil)
{
  struct deque *d = of_value(deque);
  intnat b = Long_val(d->bottom) - 1;
  return b >= top_of(d) && take_bottom(d, b) ? *slot_of(d, b) : nil;
}

/* By the owner, or by a thief. */
value weft_deque_take_top(value deque, value nil)
{
  struct deque *d = of_value(deque);
  intnat top = top_of(d);
  if (top >= Long_val(atomic_load((_Atomic value *)&d->bottom))) return nil;
  value job = *slot_of(d, top);
  return take_top(d, top) ? weft_deque_taken(job) : nil;
}

/* The element of an index, by the owner; no block if it is not inside. */
value weft_deque_element(value deque, value index)
{
  struct deque *d = of_value(deque);
  intnat i = Long_val(index);
  return i < Long_val(d->bottom) && i >= top_of(d) ? *slot_of(d, i) : Val_unit;
}

static struct ring *make_ring(intnat capacity)
{
  struct ring *r = malloc(sizeof(struct ring) + capacity * sizeof(value));
  if (r == NULL) return NULL;
  r->older = NULL;
  r->header = outside(capacity + 1, Abstract_tag);
  r->mask = Val_long(capacity - 1);
  for (intnat i = 0; i < capacity; i++) r->slots[i] = Val_unit;
  return r;
}

/* A request writes preempt and then limit; the owner writes limit and then reads preempt, all in one order of all threads. So
   if a request loses its limit of 0 to the owner, the owner sees the request, and puts the 0 back. */
static void raise_limit(struct deque *d, intnat top)
{
  if (d->held) return;
  atomic_store((_Atomic value *)&d->limit, Val_long(top + Long_val(d->mask) + 1));
  if (atomic_load((_Atomic value *)&d->preempt) != Val_false) atomic_store((_Atomic value *)&d->limit, Val_long(0));
}

/* From any thread, also one that is none of OCaml's. Deques are never freed: a late request finds one that is not in use, or
   another pool's. */
void weft_deque_request_preempt_on(value deque)
{
  struct deque *d = of_value(deque);
  atomic_store((_Atomic value *)&d->preempt, Val_true);
  atomic_store((_Atomic value *)&d->limit, Val_long(0));
}

value weft_deque_request_preempt(value deque)
{
  weft_deque_request_preempt_on(deque);
  return Val_unit;
}

value weft_deque_hold(value deque)
{
  struct deque *d = of_value(deque);
  d->held = 1;
  atomic_store((_Atomic value *)&d->limit, Val_long(0));
  return Val_unit;
}

value weft_deque_let_go(value deque)
{
  of_value(deque)->held = 0;
  return Val_unit;
}

/* The owner's: whether there was a request. */
value weft_deque_acknowledge(value deque)
{
  return atomic_exchange((_Atomic value *)&of_value(deque)->preempt, Val_false);
}

static void install(struct deque *d, struct ring *r)
{
  r->older = d->rings;
  d->rings = r;
  /* The slots before the pointer: a thief that sees the ring must see what is in it. */
  atomic_thread_fence(memory_order_release);
  d->ring = (value)&r->mask;
  d->mask = r->mask;
  raise_limit(d, Long_val(d->top_field));
}

/* The deque of threads that are no workers: empty, and always full, so that every push takes the slow path. Its slot equals
   nothing. A computation that an effect handler has captured in a pool may go on there, and finds all words valid. */
static struct { struct ring *older; header_t header; value mask, slot; } nothing = {
  NULL, Caml_out_of_heap_header(2, Abstract_tag), Val_long(0), Val_unit
};
static struct { header_t header; value field; } never = { Caml_out_of_heap_header(1, 0), Val_long(0) };
static struct deque nowhere = {
  .header = Caml_out_of_heap_header(12, 0), .bottom = Val_long(0), .limit = Val_long(0), .ring = (value)&nothing.mask,
  .mask = Val_long(0), .top = (value)&nowhere.top_field, .wake = (value)&never.field, .forks = Val_long(0),
  .deferred = Val_long(-1), .context = Val_unit, .preempt = Val_false, .loops = Val_unit, .id = Val_long(-1),
  .top_header = Caml_out_of_heap_header(1, 0), .top_field = Val_long(0), .held = 1
};

/* The nearest thread-local storage, one load instead of a call. Other C libraries than glibc may have none left for a library
   that is loaded late, as the stubs of a bytecode program are. */
#ifdef __GLIBC__
#define NEAR __attribute__((tls_model("initial-exec")))
#else
#define NEAR
#endif
static _Thread_local NEAR value current = (value)&nowhere.bottom;

value weft_current(value unit) { return current; }
value weft_set_current(value deque) { current = deque; return Val_unit; }
value weft_nowhere(value unit) { return (value)&nowhere.bottom; }

/* Words, like deques, are never freed but used again: a pool that has ended may still be referred to from the heap, and the
   collector looks at the header of what it finds there. */
struct word {
  char pad0[LINE - sizeof(header_t)];
  header_t header;
  value field;
  char pad1[LINE - sizeof(value)];
  struct word *next_free;
};
static struct word *free_words;

value weft_word_make(value unit)
{
  pthread_mutex_lock(&lock);
  struct word *w = free_words;
  if (w != NULL) free_words = w->next_free;
  pthread_mutex_unlock(&lock);
  if (w == NULL) w = aligned(sizeof(struct word));
  if (w == NULL) caml_raise_out_of_memory();
  w->header = outside(1, 0);
  w->field = Val_long(0);
  return (value)&w->field;
}

value weft_word_free(value field)
{
  struct word *w = (struct word *)(field - offsetof(struct word, field));
  w->field = Val_long(0);
  pthread_mutex_lock(&lock);
  w->next_free = free_words;
  free_words = w;
  pthread_mutex_unlock(&lock);
  return Val_unit;
}

/* --- a thief that asks: see deque_memory.mli and models/ask.pml --- */

/* What is in reply: no answer yet; the deque was empty; else the job. */
#define NO_REPLY Val_long(0)
#define NOTHING Val_long(1)

/* What we write into the word that the runtime looks at when a domain is interrupted from outside. 0 is nothing, and 1 the tick of
   systhreads. Other libraries use low bits. */
#define ASKED ((uintnat)1 << 20)

/* By the owner, at a safepoint or when it abandons the deque. The asker is gone from here on, so it cannot withdraw. */
static void answer_asker(struct deque *d)
{
  struct deque *thief = atomic_exchange(&d->asker, NULL);
  if (thief == NULL) return;
  value job = NOTHING;
  value top = atomic_load((_Atomic value *)&d->top_field);
  while (job == NOTHING && Long_val(top) < Long_val(d->bottom)) {
    struct ring *r = ring_of(d->ring);
    value eldest = r->slots[Long_val(top) & Long_val(r->mask)];
    /* Fails if a thief that did not ask was faster; then top is the new one. */
    if (atomic_compare_exchange_strong((_Atomic value *)&d->top_field, &top, Val_long(Long_val(top) + 1))) job = eldest;
  }
  atomic_store_explicit(&thief->reply, job, memory_order_release);
}

static void (*earlier_interrupt_hook)(void);

/* The runtime calls it at a safepoint of the domain that was interrupted, in whichever thread has the domain. If that is not
   the deque's owner, the thief gets no answer. The earlier hook is that of systhreads: it clears a 1, and lets other threads of
   the domain run. A thief that finds the request word set, by a tick or by another thief, has written asker before that. So
   the hook clears the word first, and reads asker last. */
static void on_interrupt(void)
{
  uintnat asked = ASKED;
  atomic_compare_exchange_strong(&Caml_state->requested_external_interrupt, &asked, 0);
  earlier_interrupt_hook();
  struct deque *d = of_value(current);
  if (current != (value)&nowhere.bottom && atomic_load(&d->asker) != NULL) answer_asker(d);
}

value weft_deque_answer_thieves(value unit)
{
  earlier_interrupt_hook = caml_domain_external_interrupt_hook;
  caml_domain_external_interrupt_hook = on_interrupt;
  return Val_unit;
}

/* The thief has its domain. A collection, a signal or another thread of the domain waits until it returns. */
static int is_wanted(void)
{
  return atomic_load_explicit(&Caml_state->young_limit, memory_order_relaxed) == (uintnat)-1;
}

/* A barrier that finds no other thread of the program on a processor takes less time than an answer. */
#define LEAST_PATIENCE 2000

static int is_over(intnat start)
{
  intnat cost = weft_barrier_ticks(), patience = cost < LEAST_PATIENCE ? LEAST_PATIENCE : cost;
  return is_wanted() || (uintnat)(weft_ticks(Val_unit) - start) > (uintnat)patience;
}

/* Whether the thief t is the one that asks the victim v. */
static int ask(struct deque *v, struct deque *t)
{
  intnat start = weft_ticks(Val_unit);
  while (!is_wanted()) {
    struct deque *nobody = NULL;
    if (atomic_load_explicit(&v->asker, memory_order_relaxed) == NULL && atomic_compare_exchange_strong(&v->asker, &nobody, t))
      return 1;
    if (is_over(start)) return 0;
    WEFT_RELAX();
  }
  return 0;
}

/* No safepoint. So there is no collection between the moment when the owner takes the job off its deque and the moment when
   the thief has it, and reply need not be a root. */
value weft_deque_ask(value victim, value own, value nil)
{
  struct deque *v = of_value(victim), *t = of_value(own);
  caml_domain_state *s = atomic_load_explicit(&v->state, memory_order_relaxed);
  if (s == NULL || s == Caml_state || caml_domain_external_interrupt_hook != on_interrupt) return nil;
  atomic_store_explicit(&t->reply, NO_REPLY, memory_order_relaxed);
  if (!ask(v, t)) return nil;
  uintnat nothing = 0;
  atomic_compare_exchange_strong(&s->requested_external_interrupt, &nothing, ASKED);
  atomic_store(&s->young_limit, (uintnat)-1);
  intnat start = weft_ticks(Val_unit);
  value reply;
  while ((reply = atomic_load_explicit(&t->reply, memory_order_acquire)) == NO_REPLY) {
    WEFT_RELAX();
    if (!is_over(start)) continue;
    struct deque *asker = t;
    if (atomic_compare_exchange_strong(&v->asker, &asker, NULL)) return nil;
    /* The owner is about to reply; perhaps it has lost its processor. */
    sched_yield();
  }
  return reply == NOTHING ? nil : reply;
}

value weft_deque_make(value id, value capacity, value wake)
{
  struct deque *d;
  pthread_mutex_lock(&lock);
  d = free_list;
  if (d != NULL) free_list = d->next_free;
  pthread_mutex_unlock(&lock);
  int fresh = d == NULL;
  if (fresh) d = aligned(sizeof(struct deque));
  struct ring *r = make_ring(Long_val(capacity));
  if (d == NULL || r == NULL) { free(r); caml_raise_out_of_memory(); }
  d->header = outside(12, 0);
  d->top_header = outside(1, 0);
  d->bottom = Val_long(0);
  d->preempt = Val_false;
  d->held = 0;
  d->context = Val_unit;
  d->loops = Val_unit;
  d->top = (value)&d->top_field;
  d->top_field = Val_long(0);
  d->wake = wake;
  d->forks = Val_long(0);
  d->deferred = Val_long(-1);
  d->id = id;
  struct ring *used = d->rings;
  d->rings = NULL;
  d->domain = NO_DOMAIN;
  install(d, r);
  free(used);
  if (fresh) {
    pthread_mutex_lock(&lock);
    int n = atomic_load(&count);
    if (n == 0) {
      earlier_hook = atomic_load(&caml_scan_roots_hook);
      atomic_store(&caml_scan_roots_hook, scan);
    }
    if (n < MAX_DEQUES) { atomic_store(&all[n], d); atomic_store(&count, n + 1); }
    pthread_mutex_unlock(&lock);
    if (n >= MAX_DEQUES) caml_failwith("Weft: more than 65536 workers at once");
  }
  return (value)&d->bottom;
}

/* Only when no thread can be using the deque: its pool has ended. */
value weft_deque_free(value deque)
{
  struct deque *d = of_value(deque);
  d->domain = NO_DOMAIN;
  d->collections_left = 0;
  /* Keep the newest ring installed: stray readers of statistics find a valid, empty deque. */
  for (struct ring *r = d->rings->older; r != NULL;) { struct ring *o = r->older; free(r); r = o; }
  d->rings->older = NULL;
  pthread_mutex_lock(&lock);
  d->next_free = free_list;
  free_list = d;
  pthread_mutex_unlock(&lock);
  return Val_unit;
}

value weft_deque_adopt(value deque)
{
  of_value(deque)->domain = (uintnat)Caml_state->unique_id;
  atomic_store_explicit(&of_value(deque)->state, Caml_state, memory_order_relaxed);
  return Val_unit;
}

/* The owner's. No collection counts between these writes: there is no safepoint. */
value weft_deque_wake_after_collections(value deque, value parker, value collections)
{
  of_value(deque)->sleeper = weft_parker_of(parker);
  of_value(deque)->collections_left = Int_val(collections);
  return Val_unit;
}

value weft_deque_wake_after_collections_no_more(value deque)
{
  of_value(deque)->collections_left = 0;
  return Val_unit;
}

value weft_deque_collections_left(value deque) { return Val_int(of_value(deque)->collections_left); }

value weft_deque_abandon(value deque)
{
  of_value(deque)->collections_left = 0;
  of_value(deque)->domain = NO_DOMAIN;
  atomic_store_explicit(&of_value(deque)->state, NULL, memory_order_relaxed);
  answer_asker(of_value(deque));
  of_value(deque)->context = Val_unit;
  of_value(deque)->loops = Val_unit;
  return Val_unit;
}

/* The owner's, when bottom has reached limit, or limit is 0. After a request that is not acknowledged, limit stays 0. No safepoint. */
value weft_deque_make_room(value deque)
{
  struct deque *d = of_value(deque);
  intnat top = Long_val(atomic_load((_Atomic value *)&d->top_field));
  intnat bottom = Long_val(d->bottom), mask = Long_val(d->mask), capacity = mask + 1;
  if (bottom - top < capacity) { raise_limit(d, top); return Val_true; }
  struct ring *old = ring_of(d->ring), *r = make_ring(2 * capacity);
  if (r == NULL) return Val_false;
  for (intnat k = top; k < bottom; k++) r->slots[k & (2 * capacity - 1)] = old->slots[k & mask];
  install(d, r);
  return Val_true;
}
