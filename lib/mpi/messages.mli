(** Messages from one rank to another: see {!Mpi}. *)

type status = { source : int; tag : int; count : int }

val any_tag : int

val check : who:string -> ?source:int -> ?dest:int -> ?tag:int -> Communicator.t -> unit
(** @raise Invalid_argument for a rank or a tag that there is not. *)

val send : ?tag:int -> Communicator.t -> dest:int -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
val recv : ?tag:int -> ?source:int -> Communicator.t -> ('a, 'k, 'l) Bigarray.Array1.t -> status

val exchange :
  ?tag:int ->
  Communicator.t ->
  dest:int ->
  ('a, 'k, 'l) Bigarray.Array1.t ->
  source:int ->
  ('b, 'm, 'n) Bigarray.Array1.t ->
  status

module Floats : sig
  val send : ?tag:int -> Communicator.t -> dest:int -> float array -> unit
  val recv : ?tag:int -> ?source:int -> Communicator.t -> float array -> status
end

module Bytes : sig
  val send : ?tag:int -> Communicator.t -> dest:int -> bytes -> unit
  val recv : ?tag:int -> ?source:int -> Communicator.t -> bytes -> status
end

(** {1 Parts of arrays, on a communicator of MPI's} *)

val send_part : Raw.comm -> dest:int -> tag:int -> ('a, 'k, 'l) Bigarray.Array1.t -> int -> int -> unit

val receive_or_drop :
  Raw.comm -> ?source:int -> tag:int -> ('a, 'k, 'l) Bigarray.Array1.t -> Engine.status * bool
(** Whether the message fits; if not, it is lost. *)

val recv_part : Raw.comm -> ?source:int -> tag:int -> ('a, 'k, 'l) Bigarray.Array1.t -> Engine.status
(** @raise Raw.Error if the message is longer than the array; it is dropped then. *)

val post_send :
  ?to_the_end:bool ->
  Raw.comm ->
  dest:int ->
  tag:int ->
  ('a, 'k, 'l) Bigarray.Array1.t ->
  int ->
  int ->
  Engine.pending
(** See {!Engine.post}. *)

val post_recv :
  Raw.comm -> source:int -> tag:int -> ('a, 'k, 'l) Bigarray.Array1.t -> int -> int -> Engine.pending
(** For a message of this length that is under way. *)
