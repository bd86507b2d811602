(** Implicit batching: single calls by many tasks become batches of a structure.

    One atomic word says whether a call is inside the structure ({!Publication_list}). A call that finds the
    structure free applies its operation in place, at the price of two compare-and-sets. A call that finds it
    busy joins the list and suspends. When a call leaves and others have joined the list, it forks a task, the
    {e combiner}, that serves them all: a few one by one, many as one batch, in parallel. Then the combiner
    begins the next batch, if more calls have come, and resumes the callers, by divide and conquer.

    So a batch has as many operations as calls have come while the last one ran: the longer a batch takes, the
    more calls gather for the next one. There is no timer, no polling, and no size to choose. At most one
    batch runs at a time. Client code never runs inside one, except functions that belong to an operation
    (comparisons, update functions).

    The idea is BATCHER's (Agrawal, Fineman, Lu, Sheridan, Sukha and Utterback, SPAA 2014; in OCaml: OBatcher,
    OOPSLA 2024).

    {b Cost.} To exec an operation is what [S.apply] takes, or its share of what [S.run] takes for the batch;
    besides, O(1) for each operation, with some tens of words for each that waits, and callers are resumed in
    parallel, with a span of O(log (callers)). {!Make.create}, {!Make.unguarded} and {!Make.stats} are O(1),
    {!Make.exclusive} and {!Make.quiesce} too, beside what they wait for; {!Make.exec_many} and
    {!Make.exec_all} take O(m) besides for m operations. *)

exception Reentrant of string
(** A structure was called from inside one of its own operations or batches: the function that was called. *)

(** A batched structure of elements or values of any type: see {!Structures.GENERIC}. *)
module Make_generic (S : Structures.GENERIC) : sig
  type 'v t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> 'v S.t -> 'v t
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. [limit]: the greatest number of
      operations in a batch; by default there is none, and none is needed. [cutoff]: the smallest batch that
      is given to [S.run]; smaller ones are applied one by one, and so is a single operation, whatever the
      cutoff ([`Fixed 1] is [`Fixed 2]). By default the structure measures both ways, for each power of two,
      and chooses; with a cutoff that is [`Fixed], callers never wait awake for longer than a microsecond.

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

  val exclusive : 'v t -> ('v S.t -> 'a) -> 'a
  (** [exclusive t f] is [f s] for the structure [s], which no other call uses meanwhile. All operations that
      were called before are applied first. [f] may suspend; all other calls wait for it. It sees its caller's
      bindings, and is cancelled with its caller. Outside of any pool, it is run in the default one. Suspends
      like {!exec}.

      @raise Reentrant like {!exec}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended. Suspends like {!exec}.

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

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> S.t -> t
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. [limit]: the greatest number of
      operations in a batch; by default there is none, and none is needed. [cutoff]: the smallest batch that
      is given to [S.run]; smaller ones are applied one by one, and so is a single operation, whatever the
      cutoff ([`Fixed 1] is [`Fixed 2]). By default the structure measures both ways, for each power of two,
      and chooses; with a cutoff that is [`Fixed], callers never wait awake for longer than a microsecond.

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

  val exclusive : t -> (S.t -> 'a) -> 'a
  (** [exclusive t f] is [f s] for the structure [s], which no other call uses meanwhile. All operations that
      were called before are applied first. [f] may suspend; all other calls wait for it. It sees its caller's
      bindings, and is cancelled with its caller. Outside of any pool, it is run in the default one. Suspends
      like {!exec}.

      @raise Reentrant like {!exec}. *)

  val quiesce : t -> unit
  (** Returns when all operations that were called before have ended. Suspends like {!exec}.

      @raise Reentrant like {!exec}. *)

  val unguarded : t -> S.t
  (** The structure, without waiting for anybody: for readers that need no protection, such as those of a
      structure whose state is one immutable value. *)

  val stats : t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)
end
