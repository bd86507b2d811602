(** How much a run of the tests tries: [WEFT_TEST_EFFORT] is [quick] ([make check]), [usual] ([make test], and
    if the variable is not set) or [long] ([make test-long]). A program that [WEFT_TEST_AGAIN] runs once more,
    under other conditions (barriers, numbers of domains, one processor), tries one level less. *)

type t = Quick | Usual | Long

val level : t
(** @raise Failure when the program starts, if the variable has another value. *)

val count : quick:int -> usual:int -> long:int -> int
(** The number that belongs to {!level}: of cases, repetitions, sizes. *)

val few : int -> int
(** [few n] is [n]; in a quick run a tenth of it, rounded up. *)

val some : quick:'a list -> 'a list -> 'a list
(** [some ~quick all] is [all]; in a quick run [quick]: of sizes, numbers of domains, methods. *)
