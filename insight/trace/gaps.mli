(** Stretches of a ring of which nothing is known, because its events were lost.

    A gap of a ring begins with the last event that was read before the loss, and ends with the first one that
    is read after it. *)

type gap = { ring : int; from : int; until : int; words : int; events : int  (** estimated *) }
type t

val create : unit -> t

val lost : t -> ring:int -> from:int -> words:int -> events:int -> unit
(** Opens a gap at [from], or adds to the open one of this ring. *)

val is_open : t -> bool
(** Whether the gap of some ring is open. *)

val read : t -> ring:int -> int -> gap option
(** [read t ring time] closes the open gap of the ring, if there is one. *)

val finish : t -> int -> gap list
(** Closes all open gaps at that time. *)

val known_until : t -> int -> otherwise:int -> int
(** [known_until t began ~otherwise] is the time until which a span that began at [began], and whose end has
    not been read, was certainly open: the beginning of the first gap that ends after [began], since the end
    of the span may be in that gap; [otherwise] if there is no such gap. A gap that is open has not ended.
    Proportional to the number of gaps. *)

val tell : Telling.t -> gap -> unit
(** [tell telling gap] emits the gap as a span. *)
