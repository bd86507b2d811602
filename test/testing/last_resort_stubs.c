/* A thread that the runtime does not know. It looks twice a second; see last_resort.mli. */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <caml/fail.h>
#include <caml/mlvalues.h>

/* How many looks are left; below 0: it does not count. */
static atomic_long looks = -1;
static int told;

static void *watch(void *unused) {
  static const char line[] = "\nhangs, and the watchdog cannot say where: no OCaml code runs\n";
  for (;;) {
    struct timespec pause = {0, 500000000};
    nanosleep(&pause, NULL);
    long left = atomic_load(&looks);
    /* Only this thread counts down; if a new number comes meanwhile, that stays. */
    if (left < 0 || !atomic_compare_exchange_strong(&looks, &left, left - 1)) continue;
    if (left == 0) {
      if (write(told, line, sizeof line - 1) < 0) abort();
      abort();
    }
  }
  return unused;
}

value testing_last_resort_set_looks(value n) {
  atomic_store(&looks, Long_val(n));
  return Val_unit;
}

/* All signals are blocked in the thread: they are for the tests. */
value testing_last_resort_start(value descriptor) {
  sigset_t all, before;
  pthread_t thread;
  told = Int_val(descriptor);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code != 0) caml_failwith("the last resort's thread cannot be made");
  pthread_detach(thread);
  return Val_unit;
}
