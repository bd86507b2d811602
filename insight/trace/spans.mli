(** Spans with numbers, which may end in another ring than they began: that ring may be read first. *)

type t
type kind = Wait | Call | Region

type span = {
  category : Category.t;
  name : string;
  began : int;
  track : int;
  arguments : (string * Event.argument) list;
}

val create : Telling.t -> live:bool -> t
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
(** A span that is told of when it is over, with a number of its own. *)

val swept : t -> int
(** All rings have been read to their ends since the last time. So many ends are without a beginning, which
    must have been lost. *)

val go_live : t -> unit
(** What has begun before {!Telling.from}, and has not ended, begins then. What was without a beginning stays
    so. *)

val finish : t -> int -> unit
(** All that is left ends now. *)
