/* The calling thread's locale: OCaml has no function for it. */
#include <caml/alloc.h>
#include <caml/mlvalues.h>
#include <langinfo.h>
#include <locale.h>

value crossing_set_locale(value name)
{
  return Val_bool(setlocale(LC_ALL, String_val(name)) != NULL);
}

value crossing_codeset(value unit)
{
  (void)unit;
  return caml_copy_string(nl_langinfo(CODESET));
}
