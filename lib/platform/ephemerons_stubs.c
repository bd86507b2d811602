/* See ephemerons.mli. */
#define CAML_INTERNALS
#include <caml/version.h>
#include <caml/mlvalues.h>
#include <caml/misc.h>
#include <caml/domain_state.h>
#include <caml/major_gc.h>
#include <caml/shared_heap.h>
#include <caml/weak.h>

#if OCAML_VERSION < 50500
static caml_timing_hook earlier;

/* The list live joins the end of the list todo. */
static void take_live_again(struct caml_ephe_info *mine)
{
  value *end = &mine->todo;
  while (*end != 0) end = &Ephe_link(*end);
  *end = mine->live;
  mine->live = 0;
}

/* What is alive goes to the list live without its dead keys; the collector frees the rest. */
static void sweep(struct caml_ephe_info *mine)
{
  while (mine->todo != 0) {
    value v = mine->todo;
    mine->todo = Ephe_link(v);
    if (Has_status_hd(Hd_val(v), caml_global_heap_state.UNMARKED)) continue;
    caml_ephe_clean(v);
    Ephe_link(v) = mine->live;
    mine->live = v;
  }
}

/* Phases change only when all domains stop. This domain does not stop in here, and when it next does, the
   runtime knows that it ends: it adopts nothing any more. So its lists stay empty, whatever phase comes. */
static void hand_on(void)
{
  struct caml_ephe_info *mine = Caml_state->ephe_info;
  if (caml_gc_phase == Phase_sweep_ephe && (mine->must_sweep_ephe || mine->todo != 0)) {
    if (mine->must_sweep_ephe) take_live_again(mine);
    sweep(mine);
    /* The other domains wait for this one. [caml_orphan_ephemerons] tells them if it finds the mark. */
    mine->must_sweep_ephe = 1;
  }
  caml_orphan_ephemerons(Caml_state);
  if (earlier != NULL) earlier();
}

value weft_hand_on_ephemerons_at_end(value unit)
{
  caml_timing_hook was = atomic_load(&caml_domain_terminated_hook);
  if (was != hand_on) {
    earlier = was;
    atomic_store(&caml_domain_terminated_hook, hand_on);
  }
  return unit;
}
#else
value weft_hand_on_ephemerons_at_end(value unit) { return unit; }
#endif
