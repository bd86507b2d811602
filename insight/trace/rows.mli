(** What workers do, each in its row: a worker does one thing until it does another.

    A ring is a domain's, and a domain may be several workers' by turns; a worker may come back in another
    domain. So a ring has a row for each worker that is in its domain now. *)

type doing = Nothing | Runs of { origin : Weft_trace.Wire.origin; resumed : bool } | Searches | Parks

type lane = private {
  track : int;
  mutable worker : int;  (** -1: none *)
  mutable doing : doing;
  mutable since : int;
  mutable blocks : (int * int) list;
      (** the last blocks of loops in its job, of which none is across another *)
}

type ring = private {
  number : int;
  mutable lanes : lane list;
  mutable last : int;  (** the time of the last event that was read *)
  mutable words : int;  (** read, as far as that is known *)
  mutable read : int;  (** events *)
  mutable lost : Event.lost;
}

type t

val create : Telling.t -> t
val ring : t -> int -> ring

val reading : t -> int -> int -> words:int -> ring
(** [reading t number time ~words]: an event of so many words was read from a ring. *)

val losing : ring -> words:int -> int
(** So many words of a ring were lost; the number of events that may have been. *)

val know : t -> worker:int -> index:int -> pool:string -> unit

val lane : t -> ring -> worker:int -> int -> lane
(** The row of a worker, which is in this ring's domain at that time. If it was elsewhere before, it has gone
    from there unnoticed. *)

val change : t -> lane -> int -> jobs:int -> doing -> unit
(** [change t lane time ~jobs d]: its worker does [d] from now on. What it did before is told, as so many
    jobs, if it ran some. *)

val leave : lane -> unit
(** Its worker is not there any more. *)

val interrupt : t -> ring -> int -> unit
(** Nothing is known any more of who does what in that domain. *)

val running : ring -> lane option
(** A row in which a job runs: what is in the ring is its doing, most likely. *)

val add_block : lane -> began:int -> ended:int -> int
(** When a block of a loop began, such that it is not across others. *)

val of_worker : t -> int -> (string * Event.argument) list
(** The arguments that say who it is. *)

val victim : t -> int -> string * Event.argument
val pool_of : lane option -> t -> (string * Event.argument) list

(** {1 In the end} *)

val rings : t -> ring list
val workers : t -> Event.worker list
val tracks : t -> (int * string) list
