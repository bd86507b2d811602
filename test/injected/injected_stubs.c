/* A signal that is pending at each safepoint, but not while a thread is blocked: see injected.ml. */
#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/domain.h>
#include <caml/domain_state.h>
#include <caml/signals.h>
#include <stdatomic.h>
#include <stddef.h>

static int number;
static void (*enter)(void), (*leave)(void);
static _Thread_local int pending, owed; /* of the thread that is interrupted */

/* The runtime enters a blocking section when no signal is pending any more: that would be never. */
static void entering(void)
{
  if (pending) {
    int bit = number - 1;
    atomic_fetch_and(&caml_pending_signals[bit / BITS_PER_WORD], ~((uintnat)1 << (bit % BITS_PER_WORD)));
    caml_reset_young_limit(Caml_state);
    owed = 1;
  }
  enter();
}

static void leaving(void)
{
  leave();
  if (owed && pending) caml_record_signal(number);
  owed = 0;
}

value injected_prepare(value signal)
{
  number = caml_convert_signal_number(Int_val(signal));
  if (enter == NULL) {
    enter = caml_enter_blocking_section_hook;
    leave = caml_leave_blocking_section_hook;
    caml_enter_blocking_section_hook = entering;
    caml_leave_blocking_section_hook = leaving;
  }
  return Val_unit;
}

value injected_begin(value unit)
{
  pending = 1;
  caml_record_signal(number);
  return Val_unit;
}

value injected_again(value unit)
{
  caml_record_signal(number);
  return Val_unit;
}

value injected_end(value unit)
{
  pending = 0;
  return Val_unit;
}
