(** Which rows have given values in given columns. *)

type t

val create : int array -> t
(** [create columns], which are in increasing order. *)

val columns : t -> int array

val find : t -> int array -> int array
(** [find t key] is a bucket: the rows with these values in the columns, one after the other, each as its name
    and then its columns, so that joins read along. The first one's name is at {!first}; the bucket's first
    element says where the last one ends. It must not be written. [key] may be longer than the columns. O(1),
    expected. *)

val first : int

val entered : t -> int
(** Rows below this one are in. *)

val extend : t -> Rows.t -> skip:(int -> bool) -> unit
(** Enters the rows that were added since the last call, but those with a status to [skip]. O(1) each,
    amortised. *)

val remove : t -> Rows.t -> Vector.t -> gone:(int -> bool) -> unit
(** [remove t rows which ~gone] removes those of the rows [which] with a status that is [gone]. O(size of the
    buckets that they are in). *)

val rebuild : t -> Rows.t -> skip:(int -> bool) -> unit
(** Enters all rows anew. *)
