(** Values as integers: each value has one code.

    Integers have even codes and need no table, except for the few that do not fit (below -2{^ 61}, from
    2{^ 61} on). *)

type t

val create : unit -> t

val unknown : int
(** The code of no value. *)

val code : t -> Syntax.value -> int
(** The value's code; a new one if it has none yet. O(size of the value). *)

val find : t -> Syntax.value -> int
(** The value's code; {!unknown} if it has none. Changes nothing. *)

val value : t -> int -> Syntax.value
(** The value with this code. O(1). *)

val are_integers : int -> int -> bool
(** Whether both are codes of integers that need no table. Such codes compare as the integers do. *)
