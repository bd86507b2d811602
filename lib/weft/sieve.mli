(** To keep some elements of a collection, in order, in blocks that depend on its length alone.

    First every block calls the user's function on its elements and counts those that it keeps. Then the
    counts are added up ({!add_up}), so that every block knows where its elements go; then it copies them
    there. *)

type t

val make : who:string -> int -> t
(** The blocks of a collection of this length. [who] is for messages. *)

val count : t -> int
(** How many blocks there are. *)

val block : t -> int
(** The length of the longest. *)

val over : t -> (int -> int -> int -> unit) -> unit
(** [over t body] calls [body k first last], perhaps at the same time, for every block [k] with the indices
    [first] to [last] (included). *)

val add_up : int array -> int
(** [add_up counts] is the sum of [counts], and replaces each by the sum of those before it. *)
