/* Starting programs: see spawn.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/unixsupport.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

static int spawn(pid_t *pid, char **arguments, char **environment, value descriptors, int group)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    for (int i = 0; i < 3 && error == 0; i++)
      error = posix_spawn_file_actions_adddup2(&actions, Int_val(Field(descriptors, i)), i);
    /* The group's number is 0 by default: the program's own. */
    if (error == 0 && group) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (error == 0) error = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

value weft_spawn(value command, value env, value descriptors, value group)
{
  CAMLparam4(command, env, descriptors, group);
  pid_t pid = 0;
  char **arguments = caml_unix_cstringvect(command, "create_process");
  char **environment = Is_some(env) ? caml_unix_cstringvect(Some_val(env), "create_process") : environ;
  int error = spawn(&pid, arguments, environment, descriptors, Bool_val(group));
  caml_unix_cstringvect_free(arguments);
  if (Is_some(env)) caml_unix_cstringvect_free(environment);
  if (error != 0) caml_unix_error(error, "create_process", Field(command, 0));
  CAMLreturn(Val_int(pid));
}
