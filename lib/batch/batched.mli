(** Implicit batching: single calls by many tasks become batches of a structure.

    One atomic word says whether a call is inside the structure ({!Publication_list}). A call that finds the
    structure free applies its operation in place, at the price of two compare-and-sets. A call that finds it
    busy spins for its turn, and if that takes too long, joins the list and suspends. When a call leaves and
    others have joined the list, it forks a task, the {e combiner}, that serves them all: a few one by one,
    many as one batch, in parallel. Then the combiner begins the next batch, if more calls have come, and
    resumes the callers, by divide and conquer.

    So a batch has as many operations as calls have come while the last one ran: the longer a batch takes, the
    more calls gather for the next one. There is no timer, and no size to choose. At most one batch runs at a
    time. Client code never runs inside a batch, except functions that belong to an operation (comparisons,
    update functions). A caller may also submit an operation: it joins the list, the caller goes on, and gets
    a promise ({!Make_generic.submit}). While operations are being submitted, the combiner waits for more, for
    some tens of microseconds at most, before it takes the list.

    From outside all pools, {!Make.exec} and the operations of a structure start no domain (see {!Weft});
    {!Make.exec_many}, {!Make.submit}, {!Make.exclusive} and functions that go through all elements do.

    The idea is BATCHER's (Agrawal, Fineman, Lu, Sheridan, Sukha and Utterback, SPAA 2014; in OCaml: OBatcher,
    OOPSLA 2024).

    {b Cost.} Executing an operation costs what [S.apply] takes, or its share of what [S.run] takes for the
    batch; besides, O(1) for each operation, with some tens of words for each that waits, and callers are
    resumed in parallel, with a span of O(log (callers)). {!Make.create}, {!Make.unguarded} and {!Make.stats}
    are O(1), {!Make.exclusive} and {!Make.quiesce} too, beside what they wait for. {!Make.submit} is O(1),
    and {!Make.submit_many} O(m) for m operations; neither waits. {!Make.exec_many} and {!Make.exec_all} take
    O(m) besides. The promises of a batch are settled one after the other, O(1) for each operation, before the
    next batch begins. *)

exception Reentrant of string
(** A structure was called from inside one of its own operations or batches. The string is the operation of
    {!Make_generic} that was called, without the functor's name, as in all messages: ["Weft_batch.exec"], say.
    The structures' functions ([find_opt], [add], ...) call [exec]. *)

(** A batched structure of elements or values of any type: see {!Structures.GENERIC}. *)
module Make_generic (S : Structures.GENERIC) : sig
  type 'v t

  val create :
    ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> ?rank:('v S.packed -> int) -> 'v S.t -> 'v t
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. [limit]: the greatest number of
      operations in a batch; by default there is none, and none is needed. [cutoff]: the smallest batch that
      is given to [S.run]; smaller ones are applied one by one, and so is a single operation, whatever the
      cutoff ([`Fixed 1] means the same as [`Fixed 2]). By default the structure measures both ways, for each
      power of two, and chooses; with a cutoff that is [`Fixed], callers never spin for longer than a
      microsecond.

      [rank] is for a structure whose [S.run] applies some kinds of operations later than others of the same
      batch, whatever their order of arrival: those that are applied later have the greater rank, and those
      that are applied in the order of arrival have the same. A batch ends before an operation of smaller rank
      than one submitted before it, so that calls of one caller are applied in order. By default all ranks are
      the same: [S.run] must keep the order of arrival, or the order of operations that one caller has
      submitted is not kept. Whoever serves the list calls [rank], for each operation behind a submitted one;
      it must be quick and must neither call the structure nor perform effects. If it raises, the operation
      has the least rank.

      @raise Invalid_argument if [limit < 1], or the cutoff is [`Fixed n] with [n < 1]. *)

  val exec : 'v t -> ('v, 'a) S.op -> 'a
  (** [exec t op] is the result of [op], or raises what [op] raised. From any task and any thread.

      If nobody else is at the structure, [S.apply] is called in place, which costs two compare-and-sets more
      ([weft bench batch_counter --domains 1] shows it), and allocates nothing if the last call in place was
      from the same fiber, with the same bindings and time-outs (else some thirty words); if effect handlers
      are around it, in its fiber, it is called on a stack of its own. Else the caller spins for its turn: for
      a microsecond, or, where operations are cheap and batches cost no less (as measured), for up to a
      millisecond. Then the calling fiber is suspended (outside of a pool, the calling thread blocks) until a
      batch with [op] in it has ended. A caller that waits here is not cancelled: its operation will be
      applied. A thread outside of all pools leaves if a signal's handler raises meanwhile; then nobody gets
      the result.

      @raise Reentrant
        if called from inside an operation or a batch of this structure, or from what that has forked. Three
        kinds of calls from inside are not recognised: from a task (of [Weft.async], of another pool); from
        [Weft.blocking]; and from what an operation forks that is applied in place outside of any pool. If the
        operation waits for such a call, both wait for each other: in a pool that is {!Weft.Deadlock},
        elsewhere they hang. *)

  val exec_many : 'v t -> ('v, 'a) S.op array -> 'a array
  (** [exec_many t ops] applies all operations of [ops], in this order, as one batch (several, if [limit] asks
      for it), which is given to [S.run] whatever the cutoff, and is their results. If some fail, the others
      are applied all the same, and the exception of the first that failed is raised. Suspends like {!exec}.
      It is not cancelled once the batch has begun; where operations are applied one by one, others run
      between them. Outside of any pool, [S.run], if there is one, is run in the default one.

      @raise Reentrant like {!exec}. *)

  val exec_all : ?whole:bool -> 'v t -> int -> (int -> ('v, unit) S.op) -> unit
  (** [exec_all t n op] is [op 0] to [op (n - 1)], in this order, as one batch, like {!exec_many}, without an
      array of results. [op] is called before anything is applied, by the caller, and may call [t] itself.

      [whole:false]: they need not be one batch; but no other operation comes between them. Of 8,192
      operations and more some are applied one by one, and some as a batch, to find out which is faster for
      the rest: a batch brings little where, say, the keys are sorted already. Then [op] is called at the
      structure, and must neither raise nor call [t], nor perform effects. With a cutoff that is [`Fixed] they
      are one batch.

      @raise Reentrant like {!exec}.
      @raise Invalid_argument if [n < 0]. *)

  val submit : 'v t -> ('v, 'a) S.op -> 'a Weft.Promise.t
  (** [submit t op] puts [op] at the end of the list of calls, and is a promise of its result. So one fiber
      can have many operations on the way, and makes large batches alone. It never waits, suspends or looks at
      cancellation, even if the structure is busy. {b Nothing bounds how many operations are on the way}: each
      takes some tens of words until it has been applied. A program that may submit faster than they are
      applied should await some of the promises now and then. From any task and any thread.

      Calls of one fiber or thread are applied in the order in which they are made, whether submitted or
      executed, if [S.run] keeps that order or [rank] says where it does not ({!create}): [exec t op] after
      [submit t op'] applies [op'] first. Others that read without waiting ({!unguarded}) see what [op] has
      done once the promise is settled.

      If the structure is free, a task is queued that applies [op] and what else is in the list when it
      begins. Another worker runs it, or this one when the calling fiber next suspends, as in [Weft.await]: in
      a pool of one domain nothing is applied before that. If [submit] is called outside of any pool, the task
      runs in the default pool. What is submitted while a thread outside of any pool is at the structure is
      applied by the pool of a fiber that waits, or else by the thread that is first in the list, or else in
      the default pool.

      If [op] raises, or its batch fails, the promise is settled with that exception. If nobody awaits the
      promise, the exception goes to the handler of {!Weft.set_uncaught_handler}, as for a task. An operation
      that was submitted cannot be withdrawn: if a fiber is cancelled while it awaits the promise, the
      operation is applied all the same. When a pool is closed, what its tasks have submitted is applied
      first, unless somebody outside of the pool is at the structure: then whoever comes after that one
      applies it. When the program ends, what the default pool has not applied yet may be dropped: {!quiesce}
      first.

      @raise Reentrant
        like {!exec}: [submit] itself would not wait, but an operation that then awaits the promise would wait
        for itself. *)

  val submit_many : 'v t -> ('v, 'a) S.op array -> 'a array Weft.Promise.t
  (** [submit_many t ops] submits all operations of [ops], in this order, with no other between them, and is
      one promise of all their results, which is settled when the last of them has been applied. Unlike with
      {!exec_many} they need not be one batch, and others may be in their batches. If some fail, the others
      are applied all the same, and the promise is settled with the exception of the first in [ops] that
      failed. For [[||]] it is settled at once. O(m) for m operations; otherwise like {!submit}.

      @raise Reentrant like {!submit}. *)

  val exclusive : 'v t -> ('v S.t -> 'a) -> 'a
  (** [exclusive t f] is [f s] for the structure [s], which no other call uses meanwhile. All operations that
      were called before are applied first. [f] may suspend; all other calls wait for it. It sees its caller's
      bindings, and is cancelled with its caller. Outside of any pool, it is run in the default one. Suspends
      like {!exec}.

      @raise Reentrant like {!exec}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended, and the promises of those that were
      submitted are settled. Suspends like {!exec}.

      @raise Reentrant like {!exec}. *)

  val unguarded : 'v t -> 'v S.t
  (** The structure, without waiting for anybody: for readers that need no protection, such as those of a
      structure whose state is one immutable value. *)

  val stats : 'v t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)
end

(** Likewise, of one type: see {!Structures.STRUCTURE}. *)
module Make (S : Structures.STRUCTURE) : sig
  type t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> ?rank:(S.packed -> int) -> S.t -> t
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. For [limit], [cutoff] and
      [rank], see {!Make_generic.create}.

      @raise Invalid_argument if [limit < 1], or the cutoff is [`Fixed n] with [n < 1]. *)

  val exec : t -> 'a S.op -> 'a
  (** See {!Make_generic.exec}. *)

  val exec_many : t -> 'a S.op array -> 'a array
  (** See {!Make_generic.exec_many}. *)

  val exec_all : ?whole:bool -> t -> int -> (int -> unit S.op) -> unit
  (** See {!Make_generic.exec_all}. *)

  val submit : t -> 'a S.op -> 'a Weft.Promise.t
  (** See {!Make_generic.submit}. *)

  val submit_many : t -> 'a S.op array -> 'a array Weft.Promise.t
  (** See {!Make_generic.submit_many}. *)

  val exclusive : t -> (S.t -> 'a) -> 'a
  (** See {!Make_generic.exclusive}. *)

  val quiesce : t -> unit
  (** See {!Make_generic.quiesce}. *)

  val unguarded : t -> S.t
  (** The structure, without waiting for anybody: for readers that need no protection, such as those of a
      structure whose state is one immutable value. *)

  val stats : t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)
end

(**/**)

(* For the structures of this library. *)
module With_bulk (S : Structures.GENERIC) : sig
  include module type of Make_generic (S)

  val exec_bulk : 'v t -> int -> ('v S.t -> unit) -> bool
  (** [exec_bulk t n f] calls [f] with the structure, as a batch of [n] operations that [f] applies, like
      {!exec_all}. [false], without a call, if [n] is more than the limit. *)
end
