(** A relation: its tuples, its indexes, made when they are needed, and what a change of the database does to
    it.

    The status of a row holds its rank, which is the number of the round of evaluation that added it, and
    whether the tuple was asserted as a fact. A tuple {e stands} while it belongs to the relation, and
    {e falls} when a change takes it away. While the change goes on, tuples that have fallen are [gone] but
    are still found, so that all that depends on them can be found. At the end of the change they are purged.
*)

type t = {
  name : string;
  rows : Rows.t;
  mutable indexes : Index.t list;
  mutable mark : int;  (** rows from here on were added by this change *)
  mutable old : int;  (** rows from here to [fresh] are the delta of this round *)
  mutable fresh : int;  (** rows from here on are for the next round *)
  doubtful : Vector.t;  (** rows that are facts no more, but may follow from rules *)
  fallen : Vector.t;  (** rows that were gone at some time during this change *)
  mutable dead : int;  (** rows that are purged and still take up space *)
}

val create : string -> int -> t
(** [create name width] is an empty relation. *)

val index : t -> int array -> Index.t
(** [index t columns] is the index on these columns. It is made if there is none. *)

val extend : t -> Index.t -> unit
(** Brings this index of [t] up to date. *)

val find_index : t -> int array -> Index.t option
(** The index on these columns; [None] if there is none. *)

(** {1 Status} *)

val status : rank:int -> asserted:bool -> int
val is_asserted : int -> bool
val rank : int -> int

val gone : int
(** The rank of tuples that have fallen: greater than that of every tuple that stands. *)

val all : int
(** A rank greater than {!gone}, but not than that of purged rows. *)

val is_gone : int -> bool

(** {1 Changes} *)

val has_changed : t -> bool
(** Whether this change has added rows, or made some fall or doubtful. *)

val end_change : t -> unit
(** Sets all marks to the end, where they are between changes. *)

val begin_round : t -> unit
(** Makes what was added in the last round the delta. *)

val standing : t -> int array -> int -> int
(** [standing t a at] is the row with the columns [a.(at)], [a.(at + 1)]..., if it stands; {!Rows.none}
    otherwise. *)

val add : t -> int array -> int -> rank:int -> bool
(** Adds a tuple unless it stands, and returns whether it has. The indexes do not have it until {!sync}. *)

val unindexed : t -> int
(** How many rows the indexes do not have yet. *)

val sync : t -> unit
(** Brings the indexes up to date. *)

val fell : t -> int -> unit
(** [fell t row] makes a row that falls [gone]. *)

val purge : t -> unit
(** Removes the tuples that are gone. O(size of the buckets that they are in), and amortised O(1) for the
    space that they take. *)

val reset_to_asserted : t -> unit
(** Drops all tuples except for the asserted ones, and makes all of these the delta. *)

val length : t -> int
(** How many tuples there are, between changes. O(1). *)

val iter : (int -> unit) -> t -> unit
(** Goes through the rows that stand. *)

val check : t -> unit
(** For tests, between changes: checks that lookups find all rows that stand, and no others.
    @raise Failure if they do not. *)
