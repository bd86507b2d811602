(** Rivals: other libraries for parallel OCaml programs, behind one signature.

    A rival is one file, [name_rival.present.ml]. It implements the signature with the rival's own functions,
    as the rival's documentation recommends; its twin [name_rival.absent.ml] says that it is missing, and dune
    takes the one that fits. The benchmarks' programs are functors over the signature ({!Fork_join}, {!Loops},
    {!Messages}): a fork takes two more calls of unknown functions, some 20 to 30 machine instructions, than
    in a program written for one library. *)

type capacity = Weft_bench_suites.Channel.capacity = Rendezvous | Bounded of int | Unbounded

(** Channels between tasks. *)
module type Channel = sig
  type 'a t

  val make : capacity -> (unit -> 'a t) option
  (** [make capacity] makes channels with so much room; [None] if the rival does not have such channels. *)

  val send : 'a t -> 'a -> unit
  val recv : 'a t -> 'a

  val blocks_the_domain : bool
  (** Whether a task that waits at a channel keeps its domain from other tasks. Then each party needs a domain
      of its own, or the parties wait for ever. *)
end

(** All functions that take a pool are called inside it. [body] and [combine] must be safe to call from many
    domains. Exceptions go to the caller. *)
module type S = sig
  val name : string
  (** its name in [--method] *)

  val doc : string
  (** one line, no full stop *)

  type pool

  val run : domains:int -> (pool -> 'a) -> 'a
  (** [run ~domains f] is [f p], called inside a new pool [p] of [domains] domains, including the calling one
      if it takes part. The pool has ended when the call returns.
      @raise Failure if the rival cannot have that many domains. *)

  type 'a promise

  val async : pool -> (unit -> 'a) -> 'a promise
  val await : pool -> 'a promise -> 'a

  val forks_by : [ `Async | `Par ]
  (** How programs written for the rival fork and join: by {!async} for one side, an ordinary call for the
      other, and {!await}; or by {!par}. *)

  val par : pool -> (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
  (** [par p f g] is [(f (), g ())], perhaps at the same time: fork and join as the rival's documentation
      recommends. *)

  val parallel_for : pool -> ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit
  (** The loop over [start] to [finish], included. At most [chunk_size] iterations run in a row; without it,
      the rival chooses. *)

  val reduce :
    pool -> ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
  (** [reduce p ~start ~finish ~body combine init] combines [body start], ..., [body finish] and the neutral
      element [init] in some order. *)

  val scan : (pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array) option
  (** prefix combinations of an array, if the rival has a function for them *)

  val channel : (module Channel) option
  (** channels, if the rival has its own that make tasks wait *)
end

(** Whether a rival is present. *)
type t =
  | Present of (module S)
  | Missing of { name : string; reason : string  (** one line, no full stop *) }
