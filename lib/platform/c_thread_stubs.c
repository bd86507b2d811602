/* Threads that never enter OCaml's runtime. */
#include <pthread.h>
#include <signal.h>
#include "stubs.h"

/* A new thread inherits the mask: signals are for OCaml's threads. */
int weft_start_thread(void *(*main)(void *), void *argument)
{
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t every, before;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  error = pthread_create(&thread, &attributes, main, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}
