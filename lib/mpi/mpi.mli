(** MPI for fibers, for those who know MPI. Everybody else begins with {!Weft_mpi}.

    {[
      let () =
        Weft_mpi.run (fun world ->
            let comm = Weft_mpi.comm world in
            let sums = [| float (Mpi.Comm.rank comm) |] in
            Mpi.Floats.all_reduce comm Mpi.Sum sums;
            if Mpi.Comm.rank comm = 0 then Printf.printf "%g\n" sums.(0))
    ]}

    {b Waiting.} Every function that waits for another rank suspends the calling fiber and no other; outside
    of pools it blocks the calling thread. Any number of fibers may wait at the same time. A small exchange
    whose partner is there already takes place in the caller, without a switch. Other requests are completed
    by one thread of the library. Making and freeing communicators (but for {!Comm.duplicate}) and windows
    suspends until all ranks have come; then MPI makes them wait for each other once more, and the rank can
    make no other call of MPI until the last one is there.

    {b Order.} Messages between two ranks with the same communicator and tag arrive in the order in which they
    were sent; of fibers that receive at the same time, the first to call gets the first. All ranks of a
    communicator call its collectives in the same order: two fibers that do so at the same time need a
    communicator each ({!Comm.duplicate}). Making and freeing communicators and windows are collectives, and
    all ranks do these in the same order across all communicators.

    {b Arrays.} Bigarrays of any kind are sent and received where they are, without a copy; a part is an
    [Array1.sub], and other dimensions are [Bigarray.reshape_1]. Until the function returns or raises, nobody
    else may write an array that is sent, or touch one that is received. Where the two arrays of a collective
    are the same one, MPI works in place. Arrays of floats and bytes are copied by way of a buffer that is
    used again; other values are marshalled.

    {b Cancellation.} A receive that is cancelled takes no message: if one had come already, the function
    returns it, and the cancellation is raised at the next point. A fiber that is cancelled already begins
    neither a receive nor anything else. A send or a collective that is cancelled raises at once, and goes on
    all the same, since the other ranks count on it: a Bigarray that was being sent must not be written before
    somebody has received it, and one that a collective fills may still change. The memory is kept as long.
    Collectives of several steps wait to their end when they are cancelled, also when the pool is closed, and
    the cancellation is raised at the next point: those of {!Value}, and those that make and free
    communicators and windows. Outside of pools, an exception of a signal's handler ends a call in the same
    way.

    {b Errors.} What MPI reports is raised as {!Error}. The communicator may be used afterwards, as far as MPI
    allows it. Misuse that is seen before MPI is called raises [Invalid_argument].

    {b Reductions} of floats by MPI ({!reduce}, {!all_reduce}, {!scan}) may have different bits for another
    number of ranks. Those of {!Weft_mpi} have not.

    {b Limits.} Tags are from 0 to 32,767. Messages and arrays may have more than 2^31 elements, but those
    that {!all_gather_parts} puts together have 2^30 at most. Floats of 16 bits can be moved, not reduced. No
    function may be called before {!Weft_mpi.run} or {!init}, or after the end of MPI.

    {b Cost.} O(1) beside what MPI takes; O(ranks) in {!all_gather_parts} and in the collectives of {!Value}.
    While [k] receives wait for their messages, each look of the library's thread probes for all of them:
    O(k); and further receives that might want the same messages take the way by this thread, too. *)

exception Error of { call : string; code : int; text : string }
(** MPI's function, its error code, and MPI's text for it. *)

(** {1 Beginning and end} *)

val init : unit -> unit
(** [init ()] initializes MPI; {!Weft_mpi.run} calls it. Later calls do nothing. It waits for all ranks. MPI
    ends when the program exits ([Stdlib.exit]), which waits for all ranks, too: a rank that waits there for a
    minute says so. An exception that leaves the program ends all ranks at once.

    MPI is asked for [MPI_THREAD_SERIALIZED]. If the environment variable [WEFT_MPI_THREADS] is [funneled],
    one thread makes all calls of MPI, which costs each call some ten microseconds.
    @raise Failure if MPI offers less, or has been finalized. *)

val abort : int -> 'a
(** [abort code] ends all ranks of the job at once with this exit code. *)

val processor_name : unit -> string
(** The name of this machine, as MPI has it. *)

(** {1 Communicators} *)

module Comm : sig
  type t = Communicator.t
  (** A group of ranks, whose messages meet no others. *)

  val world : unit -> t
  (** All ranks of the job. *)

  val rank : t -> int
  (** The calling process's number, from 0. *)

  val size : t -> int
  (** How many ranks there are. *)

  val duplicate : t -> t
  (** The same ranks, with messages of their own. *)

  val split : t -> ?key:int -> int -> t
  (** [split c color] is the communicator of all ranks of [c] that give the same [color], which is not
      negative; ordered by [key] (default: the rank in [c]), and then by the rank in [c].
      @raise Invalid_argument if [color < 0]. *)

  val try_split : t -> ?key:int -> int option -> t option
  (** The same; a rank that gives [None] is in none, and gets [None]. *)

  val split_by_node : t -> t
  (** The communicator of the ranks of [c] on this machine. *)

  val free : t -> unit
  (** Nobody may use it any more. Communicators that are not freed live until the end.
      @raise Invalid_argument for {!world}, and if it has been freed. *)
end

(** {1 Messages}

    [?tag] is 0 unless given. [?source] is any rank unless given. *)

type status = Messages.status = { source : int; tag : int; count : int }
(** Who sent a message, its tag, and how many elements it had (bytes, for {!Value.recv}). *)

val any_tag : int
(** For receives: a message with any tag. *)

val send : ?tag:int -> Comm.t -> dest:int -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [send c ~dest a] returns when [a] may be written again. That may be before the message is received, or
    only then: so ranks that send to each other, or a rank to itself, receive in another fiber ({!exchange}).
*)

val recv : ?tag:int -> ?source:int -> Comm.t -> ('a, 'k, 'l) Bigarray.Array1.t -> status
(** [recv c a] receives up to as many elements as [a] has, from its first on.
    @raise Error if the message is longer, or of no whole number of elements. It is dropped then. *)

val exchange :
  ?tag:int ->
  Comm.t ->
  dest:int ->
  ('a, 'k, 'l) Bigarray.Array1.t ->
  source:int ->
  ('b, 'm, 'n) Bigarray.Array1.t ->
  status
(** [exchange c ~dest a ~source b] sends [a] and receives [b] at the same time. *)

(** {1 Collectives} *)

type op = Collectives.op = Sum | Product | Min | Max | Bits_and | Bits_or | Bits_xor

val barrier : Comm.t -> unit
(** Returns when all ranks have called it. *)

val broadcast : Comm.t -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** All ranks get the contents of [root]'s array, which is as long everywhere. *)

val reduce :
  Comm.t -> op -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [reduce c op ~root a b] combines the arrays [a] of all ranks, element by element, to [b] of [root]; [b] of
    the others is not looked at. *)

val all_reduce : Comm.t -> op -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** The same, to [b] of every rank. *)

val scan : Comm.t -> op -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** The same, where [b] of a rank combines what the ranks up to and including itself have. *)

val scan_exclusive : Comm.t -> op -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** The same, without the rank itself; [b] of rank 0 stays as it is, or is arbitrary. *)

val gather : Comm.t -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [gather c ~root a b] puts the arrays [a], which are as long at all ranks, into [b] of [root], one after
    the other. *)

val all_gather : Comm.t -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** The same, into [b] of every rank. *)

val all_gather_parts :
  Comm.t -> lengths:int array -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** The same, where [a] of rank [i] has [lengths.(i)] elements. *)

val scatter : Comm.t -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [scatter c ~root a b] puts the parts of [a] of [root], one after the other, into [b] of the ranks, which
    is as long everywhere. *)

val all_to_all : Comm.t -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [all_to_all c a b] divides [a] into parts, one for each rank, and puts the part for rank [i] into [b] of
    rank [i], in the order of the ranks that they come from. *)

(** {1 Arrays of OCaml's heap} *)

module Floats : sig
  val send : ?tag:int -> Comm.t -> dest:int -> float array -> unit
  (** See {!Mpi.send}. *)

  val recv : ?tag:int -> ?source:int -> Comm.t -> float array -> status
  (** See {!Mpi.recv}. *)

  val broadcast : Comm.t -> root:int -> float array -> unit
  (** See {!Mpi.broadcast}. *)

  val all_reduce : Comm.t -> op -> float array -> unit
  (** See {!Mpi.all_reduce}; in place. *)
end

module Bytes : sig
  val send : ?tag:int -> Comm.t -> dest:int -> bytes -> unit
  (** See {!Mpi.send}. *)

  val recv : ?tag:int -> ?source:int -> Comm.t -> bytes -> status
  (** See {!Mpi.recv}. *)

  val broadcast : Comm.t -> root:int -> bytes -> unit
  (** See {!Mpi.broadcast}. *)
end

(** {1 Any values} *)

module Value : sig
  (** Values are marshalled. {b As with [Marshal], the type of what is received is not checked}, unless both
      sides name it: [~ty:"int list"]. A function among the values raises [Invalid_argument], unless
      [~closures:true]; then all ranks must run the same executable. *)

  exception Wrong_type of { source : int; wanted : string }
  (** A message that was sent with another [ty], or with none, or not by {!send}. It has been received, and is
      lost. *)

  val send : ?tag:int -> ?ty:string -> ?closures:bool -> Comm.t -> dest:int -> 'a -> unit
  (** See {!Mpi.send}. *)

  val recv : ?tag:int -> ?source:int -> ?ty:string -> Comm.t -> 'a * status
  (** Receives what {!send} of this module has sent.
      @raise Wrong_type if the sender's [ty] is not the same. *)

  val broadcast : ?closures:bool -> Comm.t -> root:int -> 'a option -> 'a
  (** [Some v] at [root]; what the others give is not looked at. All get [v]. *)

  val gather : ?closures:bool -> Comm.t -> root:int -> 'a -> 'a array option
  (** The values of all ranks, at [root]; [None] elsewhere. *)

  val all_gather : ?closures:bool -> Comm.t -> 'a -> 'a array
  (** The values of all ranks. *)

  val scatter : ?closures:bool -> Comm.t -> root:int -> 'a array option -> 'a
  (** [Some vs] at [root]; rank [i] gets [vs.(i)].
      @raise Invalid_argument at [root] if there are not as many values as ranks. *)

  val all_to_all : ?closures:bool -> Comm.t -> 'a array -> 'a array
  (** Rank [i] gets the value [i] of each rank.
      @raise Invalid_argument if there are not as many values as ranks. *)
end

(** {1 Windows} *)

module Window : sig
  (** Integers that every rank may change, one operation at a time, while their owner computes. *)

  type t

  val create : Comm.t -> slots:int -> t
  (** [create c ~slots] gives each rank of [c] [slots] integers of 64 bits, all 0. All give the same number.
      @raise Invalid_argument if [slots < 0]. *)

  val fetch_add : t -> rank:int -> slot:int -> int -> int
  (** [fetch_add w ~rank ~slot n] adds [n] to that slot of that rank, and is what was there before. *)

  val exchange : t -> rank:int -> slot:int -> int -> int
  (** [exchange w ~rank ~slot n] puts [n] there, and is what was there before. *)

  val read : t -> rank:int -> slot:int -> int
  (** What is there. *)

  val free : t -> unit
  (** A collective. All operations must have returned. *)
end

(**/**)

(** For Weft's own tests. *)
module Private : sig
  val pending : unit -> int
  val buffer_bytes : unit -> int
  val set_patience : float -> unit
  val set_max_count : int -> unit
end
