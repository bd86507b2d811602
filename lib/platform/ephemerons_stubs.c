/* See ephemerons.mli. */
#define CAML_INTERNALS
#include <caml/version.h>
#include <caml/mlvalues.h>
#include <caml/misc.h>
#include <caml/domain_state.h>
#include <caml/finalise.h>
#include <caml/major_gc.h>
#include <caml/weak.h>

#if OCAML_VERSION < 50500
static caml_timing_hook earlier;

/* Words of work at once. Nothing else runs in this domain any more. */
#define SLICE 10000

/* When this returns, the domain has swept its own in the sweep of ephemerons, or that phase does not begin before the domain has handed
   them on: until then it owes its part of the phase before, the update of finalisers, and it does no more slices. */
static void prepare_to_hand_on(void)
{
  struct caml_ephe_info *mine = Caml_state->ephe_info;
  while (mine->todo != 0 || mine->live != 0 || mine->must_sweep_ephe) {
    if (caml_gc_phase == Phase_sweep_ephe) {
      if (!mine->must_sweep_ephe && mine->todo == 0) break;
      caml_major_collection_slice(SLICE);
    }
    else if (caml_gc_phase == Phase_mark_final && Caml_state->final_info->updated_first)
      caml_finish_major_cycle(0);
    else
      break;
  }
  if (earlier != NULL) earlier();
}

value weft_sweep_ephemerons_at_end(value unit)
{
  caml_timing_hook was = atomic_load(&caml_domain_terminated_hook);
  if (was != prepare_to_hand_on) {
    earlier = was;
    atomic_store(&caml_domain_terminated_hook, prepare_to_hand_on);
  }
  return unit;
}
#else
value weft_sweep_ephemerons_at_end(value unit) { return unit; }
#endif
