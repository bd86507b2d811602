(** Messages and collectives of any values, marshalled: see {!Mpi.Value}.

    {b Protocol.} A marshalled value begins with a {e head}: its length, a digest of its type's name, and a
    tag. The first message (or the first part of a broadcast) has the head and up to 4 KiB of the value. The
    rest, if there is one, comes on the communicator's side ({!Communicator.side}) with the tag of the head,
    which the sender has chosen: so two fibers that receive from the same rank with the same tag never get
    each other's parts. The rest goes in pieces below 2 GiB. Collectives exchange the heads first. *)

exception Wrong_type of { source : int; wanted : string }

val send : ?tag:int -> ?ty:string -> ?closures:bool -> Communicator.t -> dest:int -> 'a -> unit
val recv : ?tag:int -> ?source:int -> ?ty:string -> Communicator.t -> 'a * Messages.status
val broadcast : ?closures:bool -> Communicator.t -> root:int -> 'a option -> 'a
val gather : ?closures:bool -> Communicator.t -> root:int -> 'a -> 'a array option
val all_gather : ?closures:bool -> Communicator.t -> 'a -> 'a array
val scatter : ?closures:bool -> Communicator.t -> root:int -> 'a array option -> 'a
val all_to_all : ?closures:bool -> Communicator.t -> 'a array -> 'a array

val set_piece : int -> unit
(** For tests: the greatest length of a piece. *)
