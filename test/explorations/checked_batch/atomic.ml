(* Hides the standard library's module in this library. *)
include Weft_explore.Atomic
