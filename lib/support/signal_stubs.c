/* Which signals have handlers: see machine.mli. */
#include <caml/mlvalues.h>
#include <signal.h>

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
