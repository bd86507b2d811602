(** Implicit batching: single calls by many tasks become batches of a structure.

    One atomic word says whether a call is inside the structure ({!Publication_list}). A call that finds the
    structure free applies its operation in place, at the price of two compare-and-sets. A call that finds it
    busy joins the list and suspends. When a call leaves and others have joined the list, it forks a task, the
    {e combiner}, that serves them all: a few one by one, many as one batch, in parallel. Then the combiner
    begins the next batch, if more calls have come, and resumes the callers, by divide and conquer.

    So a batch has as many operations as calls have come while the last one ran: the longer a batch takes, the
    more calls gather for the next one. There is no timer, no polling, and no size to choose. At most one
    batch runs at a time. Operations may be submitted, too: they join the list, and nobody waits. Client code
    never runs inside one, except functions that belong to an operation (comparisons, update functions).

    The idea is BATCHER's (Agrawal, Fineman, Lu, Sheridan, Sukha and Utterback, SPAA 2014; in OCaml: OBatcher,
    OOPSLA 2024).

    {b Cost.} To exec an operation is what [S.apply] takes, or its share of what [S.run] takes for the batch;
    besides, O(1) for each operation, with some tens of words for each that waits, and callers are resumed in
    parallel, with a span of O(log (callers)). {!Make.create}, {!Make.unguarded} and {!Make.stats} are O(1),
    {!Make.exclusive} and {!Make.quiesce} too, beside what they wait for, and {!Make.submit}, which does not
    wait; {!Make.exec_many}, {!Make.exec_all} and {!Make.submit_many} take O(m) besides for m operations. *)

exception Reentrant of string
(** A structure was called from inside one of its own operations or batches: the function that was called. *)

(** A batched structure of elements or values of any type: see {!Structures.GENERIC}. *)
module Make_generic (S : Structures.GENERIC) : sig
  type 'v t

  val create :
    ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> ?rank:('v S.packed -> int) -> 'v S.t -> 'v t
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. [limit]: the greatest number of
      operations in a batch; by default there is none, and none is needed. [cutoff]: the smallest batch that
      is given to [S.run]; smaller ones are applied one by one, and so is a single operation, whatever the
      cutoff ([`Fixed 1] is [`Fixed 2]). By default the structure measures both ways, for each power of two,
      and chooses; with a cutoff that is [`Fixed], callers never wait awake for longer than a microsecond.

      [rank]: for a structure whose [S.run] applies some kinds of operations after the others of the batch,
      whatever their order of arrival: greater integers for these, and the same for all operations that keep
      their order. Then operations that one caller has submitted are divided among batches so that their order
      is kept. By default, [S.run] is taken to keep the order of arrival.

      @raise Invalid_argument if [limit < 1], or the cutoff is [`Fixed n] with [n < 1]. *)

  val exec : 'v t -> ('v, 'a) S.op -> 'a
  (** [exec t op] is the result of [op], or raises what [op] raised. From any task and any thread.

      If nobody else is at the structure, [S.apply] is called in place, which costs two compare-and-sets more
      ([weft bench batch_counter --domains 1] shows it), and allocates nothing if the last call in place was
      from the same fiber, with the same bindings and time-outs (else some thirty words); if effect handlers
      are around it, in its fiber, it is called on a stack of its own. Else the caller waits a moment, awake,
      for its turn: a microsecond, or where operations are cheap and batches cost no less (as measured) up to
      a millisecond. Then the calling fiber is suspended (outside of a pool, the calling thread blocks) until
      a batch with [op] in it has ended. A caller that waits here is not cancelled: its operation will be
      applied.

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
      It is not cancelled once the batch has begun. Outside of any pool, [S.run], if there is one, is run in
      the default one.

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
  (** [submit t op] is a promise of the result of [op], which will be applied: after all operations that were
      called before, in the batch of those that come at the same time. So one fiber can have many operations
      on the way, and batches are large without many fibers. It never waits, suspends or is cancelled, even if
      the structure is busy: so nothing but memory, some twenty-five words each, limits how many are on the
      way. From any task and any thread.

      Calls of one fiber or thread are applied in the order in which they are made, whether submitted or
      executed: [exec t op] after [submit t op'] applies [op'] first. Others that read without waiting
      ({!unguarded}) see what [op] has done once the promise is settled.

      If the structure is free, a task is forked that applies [op] and what has come by then; that runs on
      another worker, or on this one when the fiber waits or gives way, for instance in [Weft.await]. While
      more are submitted, it lets them come, for some microseconds. Outside of any pool, and where the
      structure is held by a thread outside of any pool, it runs in the default pool.

      If [op] raises, or its batch fails, the promise is settled with that exception; if nobody awaits it, it
      is reported like that of a task ({!Weft.set_uncaught_handler}). A fiber that is cancelled while it
      awaits the promise leaves it; the operation is applied all the same. A pool that is closed applies first
      what its tasks have submitted, but at a structure that is held by somebody outside of it: then others
      apply it. A program that ends drops what nobody awaits, as it does with tasks.

      @raise Reentrant like {!exec}, though it would not wait: the promise is mostly awaited. *)

  val submit_many : 'v t -> ('v, 'a) S.op array -> 'a array Weft.Promise.t
  (** [submit_many t ops] submits all operations of [ops], in this order, with no other between them, and is
      one promise of all their results, at the price of some fifteen words each. They may be applied in
      several batches, together with others, unlike those of {!exec_many}. If some fail, the others are
      applied all the same, and the promise is settled with the exception of the first that failed. O(m) for m
      operations; otherwise like {!submit}.

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
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. [limit]: the greatest number of
      operations in a batch; by default there is none, and none is needed. [cutoff]: the smallest batch that
      is given to [S.run]; smaller ones are applied one by one, and so is a single operation, whatever the
      cutoff ([`Fixed 1] is [`Fixed 2]). By default the structure measures both ways, for each power of two,
      and chooses; with a cutoff that is [`Fixed], callers never wait awake for longer than a microsecond.

      [rank]: for a structure whose [S.run] applies some kinds of operations after the others of the batch,
      whatever their order of arrival: greater integers for these, and the same for all operations that keep
      their order. Then operations that one caller has submitted are divided among batches so that their order
      is kept. By default, [S.run] is taken to keep the order of arrival.

      @raise Invalid_argument if [limit < 1], or the cutoff is [`Fixed n] with [n < 1]. *)

  val exec : t -> 'a S.op -> 'a
  (** [exec t op] is the result of [op], or raises what [op] raised. From any task and any thread.

      If nobody else is at the structure, [S.apply] is called in place, which costs two compare-and-sets more
      ([weft bench batch_counter --domains 1] shows it), and allocates nothing if the last call in place was
      from the same fiber, with the same bindings and time-outs (else some thirty words); if effect handlers
      are around it, in its fiber, it is called on a stack of its own. Else the caller waits a moment, awake,
      for its turn: a microsecond, or where operations are cheap and batches cost no less (as measured) up to
      a millisecond. Then the calling fiber is suspended (outside of a pool, the calling thread blocks) until
      a batch with [op] in it has ended. A caller that waits here is not cancelled: its operation will be
      applied.

      @raise Reentrant
        if called from inside an operation or a batch of this structure, or from what that has forked. Three
        kinds of calls from inside are not recognised: from a task (of [Weft.async], of another pool); from
        [Weft.blocking]; and from what an operation forks that is applied in place outside of any pool. If the
        operation waits for such a call, both wait for each other: in a pool that is {!Weft.Deadlock},
        elsewhere they hang. *)

  val exec_many : t -> 'a S.op array -> 'a array
  (** [exec_many t ops] applies all operations of [ops], in this order, as one batch (several, if [limit] asks
      for it), which is given to [S.run] whatever the cutoff, and is their results. If some fail, the others
      are applied all the same, and the exception of the first that failed is raised. Suspends like {!exec}.
      It is not cancelled once the batch has begun. Outside of any pool, [S.run], if there is one, is run in
      the default one.

      @raise Reentrant like {!exec}. *)

  val exec_all : ?whole:bool -> t -> int -> (int -> unit S.op) -> unit
  (** [exec_all t n op] is [op 0] to [op (n - 1)], in this order, as one batch, like {!exec_many}, without an
      array of results. [op] is called before anything is applied, by the caller, and may call [t] itself.

      [whole:false]: they need not be one batch; but no other operation comes between them. Of 8,192
      operations and more some are applied one by one, and some as a batch, to find out which is faster for
      the rest: a batch brings little where, say, the keys are sorted already. Then [op] is called at the
      structure, and must neither raise nor call [t], nor perform effects. With a cutoff that is [`Fixed] they
      are one batch.

      @raise Reentrant like {!exec}.
      @raise Invalid_argument if [n < 0]. *)

  val submit : t -> 'a S.op -> 'a Weft.Promise.t
  (** [submit t op] is a promise of the result of [op], which will be applied: after all operations that were
      called before, in the batch of those that come at the same time. So one fiber can have many operations
      on the way, and batches are large without many fibers. It never waits, suspends or is cancelled, even if
      the structure is busy: so nothing but memory, some twenty-five words each, limits how many are on the
      way. From any task and any thread.

      Calls of one fiber or thread are applied in the order in which they are made, whether submitted or
      executed: [exec t op] after [submit t op'] applies [op'] first. Others that read without waiting
      ({!unguarded}) see what [op] has done once the promise is settled.

      If the structure is free, a task is forked that applies [op] and what has come by then; that runs on
      another worker, or on this one when the fiber waits or gives way, for instance in [Weft.await]. While
      more are submitted, it lets them come, for some microseconds. Outside of any pool, and where the
      structure is held by a thread outside of any pool, it runs in the default pool.

      If [op] raises, or its batch fails, the promise is settled with that exception; if nobody awaits it, it
      is reported like that of a task ({!Weft.set_uncaught_handler}). A fiber that is cancelled while it
      awaits the promise leaves it; the operation is applied all the same. A pool that is closed applies first
      what its tasks have submitted, but at a structure that is held by somebody outside of it: then others
      apply it. A program that ends drops what nobody awaits, as it does with tasks.

      @raise Reentrant like {!exec}, though it would not wait: the promise is mostly awaited. *)

  val submit_many : t -> 'a S.op array -> 'a array Weft.Promise.t
  (** [submit_many t ops] submits all operations of [ops], in this order, with no other between them, and is
      one promise of all their results, at the price of some fifteen words each. They may be applied in
      several batches, together with others, unlike those of {!exec_many}. If some fail, the others are
      applied all the same, and the promise is settled with the exception of the first that failed. O(m) for m
      operations; otherwise like {!submit}.

      @raise Reentrant like {!submit}. *)

  val exclusive : t -> (S.t -> 'a) -> 'a
  (** [exclusive t f] is [f s] for the structure [s], which no other call uses meanwhile. All operations that
      were called before are applied first. [f] may suspend; all other calls wait for it. It sees its caller's
      bindings, and is cancelled with its caller. Outside of any pool, it is run in the default one. Suspends
      like {!exec}.

      @raise Reentrant like {!exec}. *)

  val quiesce : t -> unit
  (** Returns when all operations that were called before have ended, and the promises of those that were
      submitted are settled. Suspends like {!exec}.

      @raise Reentrant like {!exec}. *)

  val unguarded : t -> S.t
  (** The structure, without waiting for anybody: for readers that need no protection, such as those of a
      structure whose state is one immutable value. *)

  val stats : t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)
end
