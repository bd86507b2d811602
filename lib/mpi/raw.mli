(** MPI's functions as they are, for {!Engine} and the modules above it.

    No function here waits for another rank, unless it says so. All raise {!Error}. Arrays that a request
    reads or writes must be reachable until it has completed: the modules above hand them to {!Engine}. They
    lie outside of OCaml's heap, so that they do not move. *)

exception Error of { call : string; code : int; text : string }
(** MPI's function, its error code, and MPI's text for it. *)

type ('a, 'k, 'l) array = ('a, 'k, 'l) Bigarray.Array1.t
type bytes_array = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t
type counts = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t
type cell = (int64, Bigarray.int64_elt, Bigarray.c_layout) Bigarray.Array1.t

(** {1 Beginning and end} *)

val init : int -> int
(** [init wanted] is the level of thread support that MPI has: 0 single, 1 funneled, 2 serialized or more; -1
    if it has been finalized. [wanted] is 1 or 2. Waits for all ranks. *)

val finalize : unit -> unit
(** Waits for all ranks. *)

val abort : int -> unit
(** Ends all ranks, with this exit code. *)

val named_handler : string -> (exn -> bool -> unit) option
(** What [Callback.register] has been told by this name. *)

val error_text : int -> string
val processor_name : unit -> string

(** {1 Communicators} *)

type comm = private int

val no_comm : comm
val world : unit -> comm
val rank : comm -> int
val comm_size : comm -> int

val dup : comm -> comm
(** This and the next three wait for all ranks of the communicator. *)

val split : comm -> int -> int -> comm
val split_by_node : comm -> comm
val comm_free : comm -> unit

(** {1 Requests} *)

type request = private int

val no_request : request

val idup : cell -> comm -> request
(** [idup cell c] duplicates [c] without waiting; the new communicator is {!comm_in}[ cell] then. *)

val comm_in : cell -> comm

(** {2 The status of a request that has completed}

    An array of [status_words]; the positions in it of: *)

val bytes : int
(** how many bytes have come *)

val source : int
(** the rank of the sender *)

val tag : int

val error : int
(** the error code, 0 if there is none *)

val status_words : int

val test : request -> int Stdlib.Array.t -> int -> bool
(** [test r status n] tests [r] up to [n] times; if it has completed, writes its status. Keeps the runtime:
    [n] should be small. If [n > 1], the thread yields its processor in the end. *)

val poll : int Stdlib.Array.t -> int -> int Stdlib.Array.t -> int -> int
(** [poll requests n out times] tests the first [n] of [requests] until some have completed, [times] times at
    most, and is how many have. For each it writes to [out] its index, and its status: [1 + status_words]
    words. If [n = 0], MPI only gets a chance to answer other ranks. Less than 0: [-1 - code], an error. Gives
    up the runtime meanwhile. One thread at a time. *)

(** {1 Messages} *)

val isend : ('a, 'k, 'l) array -> int -> int -> int -> int -> comm -> request
(** [isend a first count rank tag comm]. *)

val irecv : ('a, 'k, 'l) array -> int -> int -> int -> int -> comm -> request
(** The same, for a message of at most this length: Open MPI 5.0.7 writes past the end of an array that is
    shorter than a message of some KiB, before it reports that. *)

type message = private int
(** A message that has been matched: nobody else gets it, and {!imrecv} must be called. *)

val truncated : int
(** The error code for a message that is too long. *)

val no_message : message

val matching : int -> int -> comm -> int Stdlib.Array.t -> message
(** [matching rank tag comm status] is a message that has come, if there is one; writes its status. A negative
    rank or tag stands for any. An error code in the status: MPI reports an error. Keeps the runtime. *)

val imrecv : ('a, 'k, 'l) array -> int -> message -> request
(** [imrecv a count m] receives [m] to the first [count] elements of [a], which are as many as it has. *)

val set_max_count : int -> unit
(** For tests: more elements are sent by a derived datatype; [2^31 - 1] at first. *)

(** {1 Collectives} *)

type op = Sum | Product | Min | Max | Bits_and | Bits_or | Bits_xor

val ibarrier : comm -> request
val ibcast : ('a, 'k, 'l) array -> int -> int -> int -> comm -> request
val ireduce : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> int -> comm -> request
val iallreduce : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> comm -> request
val iscan : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> comm -> request
val iexscan : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> comm -> request
val igather : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> int -> comm -> request
val iscatter : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> int -> comm -> request
val iallgather : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> comm -> request
val ialltoall : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> int -> comm -> request

val iallgatherv : ('a, 'k, 'l) array -> int -> ('a, 'k, 'l) array -> counts -> comm -> request
(** [counts]: how many come from each rank, then the offsets where they go. *)

(** {1 Windows} *)

type window = private int

val is_direct_on_a_node : unit -> bool
(** Whether ranks of one machine access each other's windows without the owner's help: known of Open MPI.
    MPICH 4.2 waits until the owner calls MPI. *)

val win_make : int -> comm -> window
(** Waits for all ranks, as does {!win_free}. *)

type access = Add | Read | Exchange

val fetch : cell -> access -> int -> int -> window -> request
(** [fetch cell access rank slot w]: element 0 of [cell] is the operand, element 1 becomes the old value. *)

val win_free : window -> unit

(** {1 Memory} *)

val bytes_in : bytes -> int -> ('a, 'k, 'l) array -> int -> int -> unit
(** [bytes_in b at a first n] copies [n] bytes from the byte [at] of [b] to the byte [first] of [a]. Here and
    below, nothing is checked. *)

val floats_in : float Stdlib.Array.t -> int -> ('a, 'k, 'l) array -> int -> int -> unit
val bytes_out : ('a, 'k, 'l) array -> int -> bytes -> int -> int -> unit
val floats_out : ('a, 'k, 'l) array -> int -> float Stdlib.Array.t -> int -> int -> unit
val marshal : 'a -> Marshal.extern_flags list -> bytes_array

val unmarshal : bytes_array -> int -> int -> 'a
(** [unmarshal a first length]: as unsafe as [Marshal.from_bytes]. *)
