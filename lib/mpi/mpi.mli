(** MPI for fibers, for those who know MPI. If you do not, begin with {!Weft_mpi}.

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
    whose other rank is ready takes place in the caller, without a switch. Other requests are completed by a
    thread of the library. A function that makes or frees a communicator (except {!Comm.duplicate}) or a
    window suspends until all ranks have called it. Then the ranks wait for each other once more, inside MPI;
    during that time a rank can make no other call of MPI.

    {b Order.} Messages between two ranks with the same communicator and tag arrive in the order in which they
    were sent; of fibers that receive at the same time, the first to call gets the first. All ranks of a
    communicator must call its collectives in the same order: two fibers that call collectives at the same
    time need a communicator each ({!Comm.duplicate}). Functions that make or free communicators and windows
    are collectives, too; all ranks must call these in the same order, whatever the communicator.

    {b Arrays.} Bigarrays of any kind are sent and received where they are, without a copy; a part is an
    [Array1.sub], and other dimensions are [Bigarray.reshape_1]. Until the function returns or raises, nobody
    else may write to an array that is sent, nor read or write one that is received. Where the two arrays of a
    collective are the same one, MPI works in place. Arrays of floats and bytes are copied through a buffer,
    which is reused; other values are marshalled.

    {b Cancellation.} A receive that is cancelled takes no message: if one has already come, the function
    returns it, and the cancellation is raised when the fiber next looks for one. A fiber that is cancelled
    before a call begins no operation. A send or a collective that is cancelled raises at once, but MPI
    completes it, since the other ranks count on it: a Bigarray that was being sent must not be written to
    before it has been received, and one that a collective fills may still change. Its memory is kept until
    then. Collectives of several steps, which are those of {!Value} and those that make and free communicators
    and windows, run to their end although they are cancelled, even if the pool is closed; the cancellation is
    raised when the fiber next looks for one. Outside of pools, an exception of a signal's handler ends a call
    in the same way.

    {b Errors.} What MPI reports is raised as {!Error}. The communicator may be used afterwards, as far as MPI
    allows it. Misuse that is seen before MPI is called raises [Invalid_argument].

    {b Reductions} of floats by MPI ({!reduce}, {!all_reduce}, {!scan}) may have different bits for another
    number of ranks. Those of {!Weft_mpi} always have the same.

    {b Limits.} Tags are from 0 to 32,767. Messages and arrays may have more than 2^31 elements, but those
    that {!all_gather_parts} puts together have 2^30 at most. Floats of 16 bits can be moved, not reduced. No
    function may be called before {!Weft_mpi.run} or {!init}, nor after MPI has been finalized.

    {b Cost.} O(1) beside what MPI takes; O(ranks) in {!all_gather_parts} and in the collectives of {!Value}.
    While [k] receives wait for their messages, the library's thread probes for all of them each time that it
    polls: O(k). Further receives that could take the same messages are completed by this thread, too. *)

exception Error of { call : string; code : int; text : string }
(** The function of MPI that failed, its error code, and MPI's text for that code. *)

(** {1 Beginning and end} *)

val init : unit -> unit
(** [init ()] initializes MPI, and waits for all ranks; {!Weft_mpi.run} calls it. Later calls do nothing. MPI
    is finalized when the program exits ([Stdlib.exit]). That waits for all ranks, too; a rank that has waited
    for a minute prints a message. An exception that leaves the program ends all ranks at once.

    MPI is asked for [MPI_THREAD_SERIALIZED]. If the environment variable [WEFT_MPI_THREADS] is [funneled],
    one thread makes all calls of MPI, which costs each call some ten microseconds.
    @raise Failure if MPI offers less, or has been finalized. *)

val abort : int -> 'a
(** [abort code] ends all ranks of the job at once with this exit code. *)

val processor_name : unit -> string
(** [processor_name ()] is MPI's name of this machine. *)

(** {1 Communicators} *)

module Comm : sig
  type t = Communicator.t
  (** A group of ranks. Messages of one communicator are never received by way of another. *)

  val world : unit -> t
  (** [world ()] is the communicator of all ranks of the job. *)

  val rank : t -> int
  (** [rank c] is the number of the calling process in [c], from 0. *)

  val size : t -> int
  (** [size c] is the number of ranks. *)

  val duplicate : t -> t
  (** [duplicate c] is a new communicator of the ranks of [c]. A collective. *)

  val split : t -> ?key:int -> int -> t
  (** [split c color] is the communicator of all ranks of [c] that give the same [color]. Its ranks are in the
      order of [key] (default: the rank in [c]), and of the rank in [c] where keys are equal. A collective.
      @raise Invalid_argument if [color < 0]. *)

  val try_split : t -> ?key:int -> int option -> t option
  (** [try_split c color] is [Some (split c n)] if [color] is [Some n]. A rank whose [color] is [None] is in
      no new communicator and gets [None].
      @raise Invalid_argument as {!split}. *)

  val split_by_node : t -> t
  (** [split_by_node c] is the communicator of the ranks of [c] on this machine. A collective. *)

  val free : t -> unit
  (** [free c] frees [c], which no rank may use afterwards. A collective. Communicators that are not freed
      live until the program ends.
      @raise Invalid_argument for {!world}, and if it has been freed. *)
end

(** {1 Messages}

    [?tag] is 0 unless given. [?source] is any rank unless given. *)

type status = Messages.status = { source : int; tag : int; count : int }
(** Who sent a message, its tag, and how many elements it had (bytes, for {!Value.recv}). *)

val any_tag : int
(** For receives: a message with any tag. *)

val send : ?tag:int -> Comm.t -> dest:int -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [send c ~dest a] sends [a] to rank [dest], and returns when [a] may be written to again: before the
    message is received, or only then. So ranks that send to each other, or to themselves, must receive in
    another fiber, or use {!exchange}. *)

val recv : ?tag:int -> ?source:int -> Comm.t -> ('a, 'k, 'l) Bigarray.Array1.t -> status
(** [recv c a] receives a message into the first elements of [a].
    @raise Error
      if the message is longer than [a], or not a whole number of elements long. The message is lost then. *)

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
(** [barrier c] returns when all ranks have called it. *)

val broadcast : Comm.t -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [broadcast c ~root a] copies the array [a] of rank [root] into [a] of all other ranks. All must have the
    same length. *)

val reduce :
  Comm.t -> op -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [reduce c op ~root a b] combines the arrays [a] of all ranks by [op], element by element, into [b] of rank
    [root]. [b] of the other ranks is not used. *)

val all_reduce : Comm.t -> op -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [all_reduce c op a b] is like {!reduce}, into [b] of every rank. *)

val scan : Comm.t -> op -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [scan c op a b] is like {!all_reduce}, but [b] of a rank combines the arrays [a] of the ranks up to
    itself, itself included. *)

val scan_exclusive : Comm.t -> op -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [scan_exclusive c op a b] is like {!scan}, without the rank itself. [b] of rank 0 is unspecified
    afterwards. *)

val gather : Comm.t -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [gather c ~root a b] puts the arrays [a] of all ranks, which must have the same length, into [b] of rank
    [root], in the order of the ranks. *)

val all_gather : Comm.t -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [all_gather c a b] is like {!gather}, into [b] of every rank. *)

val all_gather_parts :
  Comm.t -> lengths:int array -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [all_gather_parts c ~lengths a b] is like {!all_gather}, where [a] of rank [i] has [lengths.(i)] elements.
    (MPI's [Allgatherv].) *)

val scatter : Comm.t -> root:int -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [scatter c ~root a b] divides [a] of rank [root] into parts of equal length, and puts part [i] into [b] of
    rank [i]. *)

val all_to_all : Comm.t -> ('a, 'k, 'l) Bigarray.Array1.t -> ('a, 'k, 'l) Bigarray.Array1.t -> unit
(** [all_to_all c a b] divides [a] into parts, one for each rank, and puts part [i] into [b] of rank [i].
    There the parts are in the order of the ranks that they come from. *)

(** {1 Arrays of OCaml's heap} *)

module Floats : sig
  val send : ?tag:int -> Comm.t -> dest:int -> float array -> unit
  (** See {!Mpi.send}. *)

  val recv : ?tag:int -> ?source:int -> Comm.t -> float array -> status
  (** See {!Mpi.recv}. *)

  val broadcast : Comm.t -> root:int -> float array -> unit
  (** See {!Mpi.broadcast}. *)

  val all_reduce : Comm.t -> op -> float array -> unit
  (** See {!Mpi.all_reduce}; the result replaces the elements. *)
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
  (** A value that rank [source] gave with another [ty], or with none, or not to this function; [wanted] is
      the [ty] given here, or [""]. The value is lost. A collective raises it on the ranks that would have got
      the value; in {!all_gather} and {!all_to_all} those are all. Collectives of different names, called at
      the same time, are not told apart in all cases. *)

  val send : ?tag:int -> ?ty:string -> ?closures:bool -> Comm.t -> dest:int -> 'a -> unit
  (** See {!Mpi.send}. *)

  val recv : ?tag:int -> ?source:int -> ?ty:string -> Comm.t -> 'a * status
  (** [recv c] receives a value that {!send} of this module has sent, and is that value and its {!status}.
      @raise Wrong_type if the sender's [ty] is not the same. *)

  val broadcast : ?ty:string -> ?closures:bool -> Comm.t -> root:int -> 'a option -> 'a
  (** [broadcast c ~root v] is [x] on all ranks, where [v] is [Some x] on [root]. [v] of the other ranks is
      not used. *)

  val gather : ?ty:string -> ?closures:bool -> Comm.t -> root:int -> 'a -> 'a array option
  (** [gather c ~root v] is, on [root], [Some] of the array of the values [v] of all ranks; [None] elsewhere.
  *)

  val all_gather : ?ty:string -> ?closures:bool -> Comm.t -> 'a -> 'a array
  (** [all_gather c v] is, on every rank, the array of the values [v] of all ranks. *)

  val scatter : ?ty:string -> ?closures:bool -> Comm.t -> root:int -> 'a array option -> 'a
  (** [scatter c ~root vs] is [a.(i)] on rank [i], where [vs] is [Some a] on [root]. [vs] of the other ranks
      is not used.
      @raise Invalid_argument at [root] if there are not as many values as ranks. *)

  val all_to_all : ?ty:string -> ?closures:bool -> Comm.t -> 'a array -> 'a array
  (** [all_to_all c vs] is, on rank [i], the array of the [vs.(i)] of all ranks.
      @raise Invalid_argument if there are not as many values as ranks. *)
end

(** {1 Windows} *)

module Window : sig
  (** Integers on each rank that all ranks may change, by atomic operations, while that rank computes. *)

  type t

  val create : Comm.t -> slots:int -> t
  (** [create c ~slots] is a window with [slots] integers of 64 bits on each rank of [c], all 0. All ranks
      must give the same number. A collective.
      @raise Invalid_argument if [slots < 0]. *)

  val fetch_add : t -> rank:int -> slot:int -> int -> int
  (** [fetch_add w ~rank ~slot n] adds [n] to slot [slot] of rank [rank] and returns its previous value. *)

  val exchange : t -> rank:int -> slot:int -> int -> int
  (** [exchange w ~rank ~slot n] sets slot [slot] of rank [rank] to [n] and returns its previous value. *)

  val read : t -> rank:int -> slot:int -> int
  (** [read w ~rank ~slot] is the value of slot [slot] of rank [rank]. *)

  val free : t -> unit
  (** [free w] frees the window: a collective. All operations on [w] must have returned. *)
end

(**/**)

(** For Weft's own tests. *)
module Private : sig
  val pending : unit -> int
  val buffer_bytes : unit -> int
  val set_patience : float -> unit
  val set_max_count : int -> unit
end
