/* Whether the collector sweeps weak pointers. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/major_gc.h>

value test_sweeps_weak_pointers(value unit) { return Val_bool(caml_gc_phase == Phase_sweep_ephe); }
