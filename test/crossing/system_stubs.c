/* The locale and a limit of the process: OCaml has no functions for them. */
#include <caml/alloc.h>
#include <caml/mlvalues.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/resource.h>

value crossing_set_locale(value name)
{
  return Val_bool(setlocale(LC_ALL, String_val(name)) != NULL);
}

value crossing_codeset(value unit)
{
  (void)unit;
  return caml_copy_string(nl_langinfo(CODESET));
}

value crossing_set_open_files(value most)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return Val_false;
  limit.rlim_cur = Long_val(most);
  return Val_bool(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

value crossing_open_files(value unit)
{
  struct rlimit limit;
  (void)unit;
  return Val_long(getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (long)limit.rlim_cur : -1);
}
