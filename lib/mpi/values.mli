(** Messages and collectives of any values, marshalled: see {!Mpi.Value}.

    {b Protocol.} A marshalled value begins with a {e head}: its length, a digest of its type's name, and a
    tag. The first message has the head and up to 4 KiB of the value. The rest, if there is one, is posted
    before it, on the communicator's side ({!Communicator.side}), with the tag of the head, which the sender
    has chosen: so two fibers that receive from the same rank with the same tag never get each other's parts,
    as long as fewer than 32,768 long values are under way between two ranks. The rest goes in pieces below 2
    GiB.

    Collectives begin with an exchange of heads of 24 bytes, of the same form in all of them, and then send
    values. There the digest is that of the function's name and the type's. *)

exception Wrong_type of { source : int; wanted : string }

val send : ?tag:int -> ?ty:string -> ?closures:bool -> Communicator.t -> dest:int -> 'a -> unit
val recv : ?tag:int -> ?source:int -> ?ty:string -> Communicator.t -> 'a * Messages.status
val broadcast : ?ty:string -> ?closures:bool -> Communicator.t -> root:int -> 'a option -> 'a
val gather : ?ty:string -> ?closures:bool -> Communicator.t -> root:int -> 'a -> 'a array option
val all_gather : ?ty:string -> ?closures:bool -> Communicator.t -> 'a -> 'a array
val scatter : ?ty:string -> ?closures:bool -> Communicator.t -> root:int -> 'a array option -> 'a
val all_to_all : ?ty:string -> ?closures:bool -> Communicator.t -> 'a array -> 'a array

(** {1 For the loops} *)

val marshal : ?closures:bool -> 'a -> Raw.bytes_array
(** @raise Invalid_argument as [Marshal.to_bytes]. *)

val unmarshal : Raw.bytes_array -> 'a

type kind = { expected : int64; mismatch : int -> exn }
(** What all ranks must exchange at the same time: a digest, and what is raised where the value of a rank has
    another one. *)

val kind : string -> (int -> exn) -> kind
(** [kind name mismatch] has the digest of [name]. *)

val check_kind : kind -> int -> int64 -> unit
(** [check_kind kind source digest] raises if [digest] is another one. *)

val broadcast_data : Communicator.t -> kind:kind -> root:int -> Raw.bytes_array -> Raw.bytes_array
(** [broadcast_data c ~kind ~root data] is [data] of rank [root], on all ranks. This function and those below
    do not look for a cancellation. *)

val all_gather_data : Communicator.t -> kind:kind -> Raw.bytes_array -> 'a -> 'a array
(** [all_gather_data c ~kind data v] is {!all_gather}, where [data] is [v], marshalled. *)

val all_to_all_data : Communicator.t -> kind:kind -> Raw.bytes_array array -> 'a array -> 'a array
(** Likewise. *)

val gather_data : Communicator.t -> kind:kind -> root:int -> Raw.bytes_array -> 'a -> 'a array option
(** Likewise. *)

val swap_data : Communicator.t -> kind:kind -> (int * Raw.bytes_array) list -> 'a list
(** [swap_data c ~kind outgoing] sends to each rank of [outgoing], of which none is twice nor the calling one,
    the data beside it, and is the values that these ranks have sent to this one, unmarshalled, in the order
    of [outgoing]. Each of these ranks must call this, too, with the calling rank in its list. *)

(** {1 For tests} *)

val set_piece : int -> unit
(** The greatest length of a piece. *)
