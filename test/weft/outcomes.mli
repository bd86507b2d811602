(** What a random program may come to: the set of numbers it may return and of numbers [n] for which it may
    raise [Planned n].

    Where parts run at the same time, a failure of one ends the others before they fail, or not: so a program
    with failures may have several outcomes. One without failures has exactly one. *)

type t

exception Too_many
(** There are more outcomes than the sets are worth; a test skips the program. *)

val returns : int -> t
val fails : int -> t

val map : (int -> int) -> t -> t
(** Of what is returned. *)

val map2 : (int -> int -> int) -> t -> t -> t
(** Two parts of one call, at the same time: the failure of either may be the call's. *)

val in_turn : (int -> int -> int) -> t -> t -> t
(** First one part, then the other, if the first has not failed. *)

val either : t -> t -> t
(** All that one or the other may come to. *)

val catch : (int -> int) -> t -> t
(** [catch f t]: instead of failing with [n], [f n] is returned. *)

val is_exact : t -> bool
(** Whether there is only one. *)

val mem : (int, int) result -> t -> bool
(** Whether it is among them: [Ok] what was returned, or [Error] the number of the failure. *)

val print : t -> string
