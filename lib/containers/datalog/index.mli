(** Indexes: which rows have given values in given columns. *)

type t

val create : int array -> t
(** [create columns] is an empty index on these columns, which must be in increasing order. *)

val columns : t -> int array

val find : t -> int array -> int array
(** [find t key] is a bucket: the rows with these values in the columns, one after the other. Each row is its
    name and then its columns, so that joins read memory in sequence. The first row's name is at {!first}; the
    bucket's first element is where the last row ends. The bucket must not be written. [key] may be longer
    than the columns. O(1), expected. *)

val first : int

val entered : t -> int
(** The index has the rows below this one. *)

val extend : t -> Rows.t -> skip:(int -> bool) -> unit
(** Enters the rows that were added since the last call, except for those with a status to [skip]. O(1) each,
    amortised. *)

val remove : t -> Rows.t -> Vector.t -> gone:(int -> bool) -> unit
(** [remove t rows which ~gone] removes those of the rows [which] whose status is [gone]. O(size of the
    buckets that they are in). *)

val rebuild : t -> Rows.t -> skip:(int -> bool) -> unit
(** Enters all rows anew. *)
