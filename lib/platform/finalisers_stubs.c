/* See finalisers.mli. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/callback.h>
#include <caml/misc.h>
#include <caml/domain.h>
#include <caml/domain_state.h>
#include <caml/finalise.h>
#include <caml/version.h>
#include <stdatomic.h>

extern value caml_domain_dls_get(value unit);

static caml_timing_hook earlier;
static value report = Val_unit;
static atomic_int own_starts;
static _Thread_local int depth;

/* By the numbers of domains, of which OCaml allows so many. */
#define MAX_DOMAINS 4096
static atomic_bool is_own[MAX_DOMAINS];

/* In the new domain. While one of ours starts, any may be ours. */
static void mark_own(void)
{
  if (Caml_state->id < MAX_DOMAINS) is_own[Caml_state->id] = atomic_load(&own_starts) > 0;
}

/* A hook of OCaml at the start of a domain calls the one that was there before it. */
#if OCAML_VERSION < 50500
static void (*earlier_at_start)(void);

static void at_start(void)
{
  mark_own();
  if (earlier_at_start != NULL) earlier_at_start();
}
#else
#define caml_domain_initialize_hook caml_domain_initialize_hook_exn
static value (*earlier_at_start)(void);

static value at_start(void)
{
  mark_own();
  return earlier_at_start != NULL ? earlier_at_start() : Val_unit;
}
#endif

/* A domain that has no local storage yet would crash if an exception ended it. */
static int may_raise(void)
{
  int ours = Caml_state->id < MAX_DOMAINS && is_own[Caml_state->id];
  return depth == 0 && !ours && caml_domain_dls_get(Val_unit) != Val_unit;
}

value weft_own_domain_starts(value starts)
{
  atomic_fetch_add(&own_starts, Bool_val(starts) ? 1 : -1);
  return Val_unit;
}

value weft_enter_finalisers(value unit)
{
  depth++;
  return unit;
}

value weft_leave_finalisers(value unit)
{
  depth--;
  return unit;
}

/* The one that the runtime would call next. The runtime frees the parts of its list that are empty. */
static struct final *next(struct caml_final_info *mine)
{
  struct final_todo *part = mine->todo_head;
  while (part != NULL && part->size == 0) part = part->next;
  return part == NULL ? NULL : &part->item[--part->size];
}

/* The runtime is about to call all that are due: so none is left for it. Others may become due meanwhile;
   the mark keeps the runtime from calling those, as when it calls one itself. */
static void call_all(void)
{
  struct caml_final_info *mine = Caml_state->final_info;
  struct final *f;
  if (earlier != NULL) earlier();
  if (may_raise()) return;
  while ((f = next(mine)) != NULL) {
    value function = f->fun, v = f->val + f->offset;
    mine->running_finalisation_function = 1;
    value result = caml_callback_exn(function, v);
    if (Is_exception_result(result)) caml_callback_exn(report, Extract_exception(result));
    mine->running_finalisation_function = 0;
  }
}

value weft_report_from_finalisers(value function)
{
  if (report == Val_unit) {
    caml_register_generational_global_root(&report);
    earlier = atomic_load(&caml_finalise_begin_hook);
    atomic_store(&caml_finalise_begin_hook, call_all);
    earlier_at_start = caml_domain_initialize_hook;
    caml_domain_initialize_hook = at_start;
  }
  caml_modify_generational_global_root(&report, function);
  return Val_unit;
}
