/* Which signals have handlers, and sending them on: see machine.mli, handlers.mli. */
#include <caml/mlvalues.h>
#include <pthread.h>
#include <signal.h>

extern int caml_convert_signal_number(int);

value weft_handles_signals(value unit)
{
  static const int users[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGCONT,
                               SIGIO, SIGPROF, SIGVTALRM, SIGURG, SIGWINCH };
  for (unsigned i = 0; i < sizeof users / sizeof *users; i++) {
    struct sigaction now;
    if (sigaction(users[i], NULL, &now) == 0 && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) return Val_true;
  }
  return Val_false;
}

/* In the order of [handled] in handlers.ml. */
static const int handled[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGCONT,
                               SIGIO, SIGPROF, SIGVTALRM, SIGURG, SIGWINCH, SIGXCPU, SIGPIPE, SIGTTIN, SIGTTOU, SIGXFSZ };
enum { count = sizeof handled / sizeof *handled };

/* The runtime's own handler, which calls those of [Sys.signal]: a C library may have others. */
static void (*runtimes)(int);
static pthread_t first_thread;

value weft_is_default(value signal)
{
  struct sigaction now;
  return Val_bool(sigaction(caml_convert_signal_number(Int_val(signal)), NULL, &now) == 0 && now.sa_handler == SIG_DFL);
}

/* The runtime handles [signal] at this moment; the calling thread is the program's first. */
value weft_learn_handler(value signal)
{
  struct sigaction now;
  first_thread = pthread_self();
  if (sigaction(caml_convert_signal_number(Int_val(signal)), NULL, &now) == 0) runtimes = now.sa_handler;
  return Val_unit;
}

/* A bit for each of [handled] that the runtime handles. */
value weft_handled_signals(value unit)
{
  intnat bits = 0;
  for (int i = 0; i < count; i++) {
    struct sigaction now;
    if (runtimes != NULL && sigaction(handled[i], NULL, &now) == 0 && now.sa_handler == runtimes) bits |= (intnat)1 << i;
  }
  return Val_long(bits);
}

value weft_send_to_first_thread(value signal)
{
  pthread_kill(first_thread, caml_convert_signal_number(Int_val(signal)));
  return Val_unit;
}

value weft_is_first_thread(value unit) { return Val_bool(pthread_equal(pthread_self(), first_thread)); }

/* A real-time signal that programs hardly use; or 0. */
value weft_carrier(value unit)
{
#if defined(__linux__)
  return Val_int(SIGRTMAX - 2);
#else
  return Val_int(0);
#endif
}

value weft_is_same_function(value f, value g) { return Val_bool(Code_val(f) == Code_val(g)); }

value weft_system_signal(value signal) { return Val_int(caml_convert_signal_number(Int_val(signal))); }

/* The sets are as signal_mask.ml has them. No handler of OCaml's runs here. */
value weft_change_signal_mask(value is_set, value set, value before)
{
  sigset_t wanted, was;
  sigemptyset(&wanted);
  for (int s = 1; s <= 64; s++)
    if (Byte(set, s)) sigaddset(&wanted, s);
  if (pthread_sigmask(Bool_val(is_set) ? SIG_SETMASK : SIG_BLOCK, &wanted, &was) == 0)
    for (int s = 1; s <= 64; s++) Byte(before, s) = sigismember(&was, s) == 1;
  return Val_unit;
}
