(** The possible outcomes of a random program: the set of numbers that it may return and of numbers [n] for
    which it may raise [Planned n].

    If parts run at the same time, a failure of one may end the others before they fail: so a program with
    failures may have several outcomes. A program without failures has exactly one. *)

type t

exception Too_many
(** There are too many outcomes to collect; a test skips the program. *)

val returns : int -> t
val fails : int -> t

val map : (int -> int) -> t -> t
(** The program returns this number. *)

val map2 : (int -> int -> int) -> t -> t -> t
(** Two parts of one call run at the same time: the call's failure may be that of either. *)

val in_turn : (int -> int -> int) -> t -> t -> t
(** One part runs, then the other, if the first has not failed. *)

val either : t -> t -> t
(** All outcomes of either. *)

val catch : (int -> int) -> t -> t
(** [catch f t]: where [t] fails with [n], [f n] is returned instead. *)

val is_exact : t -> bool
(** Whether there is only one outcome. *)

val mem : (int, int) result -> t -> bool
(** Whether the outcome is among them: [Ok] of what was returned, or [Error] of the number of the failure. *)

val print : t -> string
