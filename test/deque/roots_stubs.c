/* A domain that takes its time to mark the roots outside of stacks, which are marked last. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/domain_state.h>
#include <caml/roots.h>
#include <stdatomic.h>
#include <time.h>

static scan_roots_hook earlier;
static atomic_uintnat slow; /* number of the domain, from 1, or 0 */
static atomic_int marks;

static void scan(scanning_action action, scanning_action_flags flags, void *data, caml_domain_state *domain)
{
  if ((flags & SCANNING_ONLY_YOUNG_VALUES) == 0 && atomic_load(&slow) == domain->unique_id + 1) {
    struct timespec moment = { 0, 5000000 };
    atomic_store(&marks, 1);
    nanosleep(&moment, NULL);
    if (earlier != NULL) earlier(action, flags, data, domain);
    atomic_store(&marks, 0);
  } else if (earlier != NULL)
    earlier(action, flags, data, domain);
}

/* The hook stays. */
value test_mark_slowly(value is_slow)
{
  scan_roots_hook was = atomic_load(&caml_scan_roots_hook);
  if (was != scan) {
    earlier = was;
    atomic_store(&caml_scan_roots_hook, scan);
  }
  atomic_store(&slow, Bool_val(is_slow) ? Caml_state->unique_id + 1 : 0);
  return Val_unit;
}

value test_roots_are_being_marked(value unit)
{
  (void)unit;
  return Val_bool(atomic_load(&marks));
}
