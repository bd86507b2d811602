/* Another exit code: see exit_code.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int wanted;

/* It runs in [exit], after the functions of [atexit]: all that is left of the end of a process is to flush C's files. */
__attribute__((destructor)) static void leave(void)
{
  int code = atomic_load(&wanted);
  if (code == 0) return;
  fflush(NULL);
  _exit(code);
}

value weft_exit_code_change(value code)
{
  atomic_store(&wanted, Int_val(code));
  return Val_unit;
}
