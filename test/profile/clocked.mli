(** Profiles by a clock that only {!spend} moves: so every figure is exact. *)

type found = { work : int; span : int; burdened : int; profile : Weft.Profile.t }
(** In units of the clock. *)

val spend : int -> unit
(** Whatever runs now takes so long. *)

val profile : ?burden:int -> ?grain:int -> (unit -> 'a) -> 'a * found
(** With a time limit. *)

val check : string -> ?burden:int -> work:int -> span:int -> ?burdened:int -> (unit -> 'a) -> unit
(** Checks the figures of [f]. *)

val region : found -> string -> int * int * int * int
(** Its calls, work, span, and its part of the whole span. *)

val test : string -> (unit -> unit) -> unit Alcotest.test_case
