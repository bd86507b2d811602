(** Another exit code for the process.

    OCaml's functions of [at_exit] cannot change the code except by [exit]. If they call that where an
    exception has ended the program, OCaml never prints the exception. So C changes the code, at the very end.
*)

external change : int -> unit = "weft_exit_code_change"
[@@noalloc]
(** [change code]: if the process ends by C's [exit], as after OCaml's [exit], the end of the program and an
    uncaught exception, its code is [code], from 1 to 255, whatever it would have been. Nothing else changes.
    With 0, as at first, the code is what it would have been. *)
