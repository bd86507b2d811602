(** Sets of tuples of integers, flat in one array, each with a status.

    A row is named by the index of its first column in {!data}, which is positive; its status stands in front
    of it. Rows lie in the order in which they were added. *)

type t

val create : int -> t
(** The empty set of tuples with this many columns. *)

val width : t -> int
(** How many columns. *)

val stride : t -> int
(** How far it is from one row to the next: the width and one. *)

val data : t -> int array
(** Valid until a row is added. Columns must not be written. *)

val first : int
(** The name of the first row. *)

val limit : t -> int
(** The name of the next row to be added. *)

val none : int
(** No row: 0. *)

val find : t -> int array -> int -> int
(** [find t a at] is the row [a.(at)], [a.(at + 1)]..., or {!none}. O(width), expected. *)

val add : t -> int array -> int -> status:int -> bool
(** [add t a at ~status] adds that row, unless it is there; whether it was added. O(width), expected and
    amortised. *)

val append : t -> int array -> int -> status:int -> int
(** Adds the row without looking whether it is there, and makes it the one that {!find} finds, in place of the
    one that it found before, if any, which keeps its place in {!data}. *)

val status : t -> int -> int
val set_status : t -> int -> int -> unit

val forget : t -> int -> unit
(** [forget t row] makes {!find} find the row no more. Its place in {!data} stays. *)

val keep : t -> (int -> bool) -> unit
(** [keep t p] drops the rows for which [p status] does not hold; the others are renamed. O(all rows). *)

val clear : t -> unit
(** Drops all. *)
