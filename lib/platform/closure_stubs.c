/* The place from which code is counted: see closure.mli. */
#include <caml/mlvalues.h>

/* The tools look for this name in the table of symbols. */
__attribute__((aligned(16))) intnat weft_code_origin(value unit) { return (intnat)((uintnat)&weft_code_origin >> 2); }

value weft_code_origin_boxed(value unit) { return Val_long(weft_code_origin(unit)); }
