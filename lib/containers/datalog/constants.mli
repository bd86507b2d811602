(** Values as integers: each value has one code.

    Codes of integers are even and need no table, unless they are among the few (below -2{^ 61}, from 2{^ 61}
    on) that do not fit. *)

type t

val create : unit -> t

val unknown : int
(** The code of no value. *)

val code : t -> Syntax.value -> int
(** The value's code, a new one if it has none. O(size of the value). *)

val find : t -> Syntax.value -> int
(** The value's code, {!unknown} if it has none. Changes nothing. *)

val value : t -> int -> Syntax.value
(** The value with this code. O(1). *)

val are_integers : int -> int -> bool
(** Whether both are codes of integers without table; then they compare as the integers do. *)
