(** Sets of tuples of integers, flat in one array, each with a status.

    A row's name is the index of its first column in {!data}, which is positive; its status is just before
    that. Rows lie in the order in which they were added. *)

type t

val create : int -> t
(** The empty set of tuples with this many columns. *)

val width : t -> int
(** How many columns. *)

val stride : t -> int
(** The distance from one row to the next: the width plus one. *)

val data : t -> int array
(** The array that holds the rows. It is valid until a row is added. Columns must not be written. *)

val first : int
(** The name of the first row. *)

val limit : t -> int
(** The name of the next row to be added. *)

val none : int
(** No row: 0. *)

val find : t -> int array -> int -> int
(** [find t a at] is the row [a.(at)], [a.(at + 1)]..., or {!none}. O(width), expected. *)

val add : t -> int array -> int -> status:int -> bool
(** [add t a at ~status] adds that row unless it is there, and is whether it has added it. O(width), expected
    and amortised. *)

val append : t -> int array -> int -> status:int -> int
(** Adds the row without looking whether it is there. From now on {!find} finds this one; an older row with
    the same columns keeps its place in {!data}. *)

val status : t -> int -> int
val set_status : t -> int -> int -> unit

val forget : t -> int -> unit
(** [forget t row] stops {!find} from finding the row. It keeps its place in {!data}. *)

val keep : t -> (int -> bool) -> unit
(** [keep t p] drops the rows whose status does not satisfy [p]; the others get new names. O(all rows). *)

val clear : t -> unit
(** Drops all rows. *)
