(** Spans with numbers. They may end in another ring than the one in which they began, and that ring may be
    read first. *)

type t
type kind = Wait | Call | Region

type span = {
  category : Category.t;
  name : string;
  began : int;
  track : int;
  arguments : (string * Event.argument) list;
}

val create : Telling.t -> Gaps.t -> live:bool -> t
val begins : t -> kind -> int -> span -> unit
val ends : t -> kind -> int -> track:int -> int -> unit

val whole :
  t ->
  track:int ->
  began:int ->
  ended:int ->
  arguments:(string * Event.argument) list ->
  Category.t ->
  string ->
  unit
(** A span that is told only when it has ended; it gets a number here. *)

val swept : t -> int
(** Must be called when all rings have been read to their ends since the last call. Returns the number of ends
    without a beginning, which must have been lost. *)

val go_live : t -> unit
(** Spans that began before {!Telling.from} and have not ended begin then. Ends that have no beginning so far
    are dropped. *)

val finish : t -> int -> unit
(** Ends all open spans now; those whose ends may lie in a gap, when they were certainly open last. *)
