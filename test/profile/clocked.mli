(** Profiles by a clock that only {!spend} moves: so every figure is exact. *)

type found = { work : int; span : int; burdened : int; profile : Weft.Profile.t }
(** In units of the clock. *)

val spend : int -> unit
(** What runs takes so long. *)

val profile : ?burden:int -> ?grain:int -> (unit -> 'a) -> 'a * found
(** With a limit of time. *)

val check : string -> ?burden:int -> work:int -> span:int -> ?burdened:int -> (unit -> 'a) -> unit
(** The figures of [f] are these. *)

val region : found -> string -> int * int * int * int
(** Its calls, work, span, and what of the whole span lies in it. *)

val test : string -> (unit -> unit) -> unit Alcotest.test_case
