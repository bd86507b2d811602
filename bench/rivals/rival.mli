(** Rivals: other libraries for parallel OCaml programs, all seen through one signature.

    A rival is one file, [name_rival.present.ml], that says how to do with the rival's own functions what the
    signature asks for, as its own documentation would; its twin [name_rival.absent.ml] says that it is
    missing, and dune takes the one that fits. The benchmarks' programs are functors over the signature
    ({!Fork_join}, {!Loops}, {!Messages}): a fork takes some 20 to 30 machine instructions more than in a
    program written for the one library, two calls of unknown functions. *)

type capacity = Weft_bench_suites.Channel.capacity = Rendezvous | Bounded of int | Unbounded

(** Channels between tasks. *)
module type Channel = sig
  type 'a t

  val make : capacity -> (unit -> 'a t) option
  (** [make capacity] makes channels with so much room; [None] if the rival has none such. *)

  val send : 'a t -> 'a -> unit
  val recv : 'a t -> 'a

  val blocks_the_domain : bool
  (** Whether a task that waits at a channel keeps its domain from other tasks. Then each party must have a
      domain of its own, or they wait for ever. *)
end

(** All functions that take a pool are called inside it, those that end with [body] or [combine] must be safe
    to call from many domains. Exceptions go to the caller. *)
module type S = sig
  val name : string
  (** as in [--method] *)

  val doc : string
  (** one line, no full stop *)

  type pool

  val run : domains:int -> (pool -> 'a) -> 'a
  (** [run ~domains f] is [f p], called inside a new pool [p] of [domains] domains, the calling one included
      if it takes part. The pool is gone when the call has returned.
      @raise Failure if the rival cannot have that many. *)

  type 'a promise

  val async : pool -> (unit -> 'a) -> 'a promise
  val await : pool -> 'a promise -> 'a

  val forks_by : [ `Async | `Par ]
  (** How programs fork and join that are written for the rival: by {!async} for one side, with the other run
      on the spot, and {!await}; or by {!par}. *)

  val par : pool -> (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
  (** [par p f g] is [(f (), g ())], perhaps at the same time: fork and join as the rival recommends it. *)

  val parallel_for : pool -> ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit
  (** The loop over [start] to [finish], included; [chunk_size] is how many iterations run in a row (at most),
      by default what the rival finds fit. *)

  val reduce :
    pool -> ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
  (** [reduce p ~start ~finish ~body combine init] combines [body start], ..., [body finish] and the neutral
      element [init] in some order. *)

  val scan : (pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array) option
  (** prefix combinations of an array, if the rival has them *)

  val channel : (module Channel) option
  (** if the rival has channels whose waiting tasks are its own affair *)
end

(** What has been found of a rival. *)
type t =
  | Present of (module S)
  | Missing of { name : string; reason : string  (** one line, no full stop *) }
