/* See ephemerons.mli. */
#define CAML_INTERNALS
#include <caml/version.h>
#include <caml/mlvalues.h>
#include <caml/misc.h>
#include <caml/domain_state.h>
#include <caml/major_gc.h>
#include <caml/weak.h>

#if OCAML_VERSION < 50500
static caml_timing_hook earlier;

/* Words of work at once. Nothing else runs in this domain any more. */
#define SLICE 10000

static void sweep(void)
{
  struct caml_ephe_info *mine = Caml_state->ephe_info;
  while (caml_gc_phase == Phase_sweep_ephe && (mine->must_sweep_ephe || mine->todo != 0))
    caml_major_collection_slice(SLICE);
  if (earlier != NULL) earlier();
}

value weft_sweep_ephemerons_at_end(value unit)
{
  caml_timing_hook was = atomic_load(&caml_domain_terminated_hook);
  if (was != sweep) {
    earlier = was;
    atomic_store(&caml_domain_terminated_hook, sweep);
  }
  return unit;
}
#else
value weft_sweep_ephemerons_at_end(value unit) { return unit; }
#endif
