(** What workers do, each in its row: a worker does one thing until it tells the next.

    A ring belongs to a domain. Several workers may use a domain by turns, and a worker may return in another
    domain. So a ring has a row for each worker that is in its domain now. *)

type doing =
  | Nothing
  | Runs of { origin : Weft_trace.Wire.origin; resumed : bool }
  | Searches of { at_hand : int }
  | Parks

type lane = private {
  track : int;
  mutable worker : int;  (** -1: none *)
  mutable doing : doing;
  mutable since : int;
  mutable blocks : (int * int) list;
      (** the last blocks of loops in its job, none of which partly overlaps another *)
}

type ring = private {
  number : int;
  mutable lanes : lane list;
  mutable last : int;  (** the time of the last event that was read *)
  mutable words : int;  (** the number of words read, as far as that is known *)
  mutable read : int;  (** the number of events read *)
  mutable lost : Event.lost;
}

type t

val create : Telling.t -> t
val ring : t -> int -> ring

val reading : t -> int -> int -> words:int -> ring
(** [reading t number time ~words] notes that an event of so many words was read from a ring. *)

val losing : ring -> words:int -> int
(** Notes that so many words of a ring were lost; returns the estimated number of events. *)

val know : t -> worker:int -> index:int -> pool:string -> unit

val lane : t -> ring -> worker:int -> int -> lane
(** The row of a worker that is in this ring's domain at that time. If the worker still has a row in another
    ring, it is ended there. *)

val change : t -> lane -> int -> jobs:int -> doing -> unit
(** [change t lane time ~jobs d] notes that its worker does [d] from now on, and emits what it did before; if
    it ran jobs, [jobs] is their number. *)

val leave : lane -> unit
(** Notes that the row's worker has left. *)

val interrupt : t -> ring -> int -> unit
(** Ends all rows of the ring: from now on it is unknown what workers do in that domain. *)

val running : ring -> lane option
(** A row in which a job runs: most likely, that job causes the other events of the ring. *)

val running_of : ring -> worker:int -> lane option
(** The row of that worker, if a job runs in it. *)

val add_block : lane -> began:int -> ended:int -> int
(** Adds a block of a loop, and returns its beginning, moved if necessary so that the block does not partly
    overlap another. *)

val of_worker : t -> int -> (string * Event.argument) list
(** The arguments that identify the worker. *)

val victim : t -> int -> string * Event.argument
val pool_of : lane option -> t -> (string * Event.argument) list

(** {1 At the end} *)

val rings : t -> ring list
val workers : t -> Event.worker list
val tracks : t -> (int * string) list
