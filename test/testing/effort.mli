(** How much a run of the tests tries: [WEFT_TEST_EFFORT] is [quick] ([make check]), [usual] ([make test], and
    without the variable) or [long] ([make test-long]). *)

type t = Quick | Usual | Long

val level : t
(** @raise Failure where the program starts, if the variable is something else. *)

val count : quick:int -> usual:int -> long:int -> int
(** The one that belongs to {!level}: of cases, repetitions, sizes. *)
