(** Nested parallelism for OCaml 5, with nothing to tune.

    {[
      let rec fib n =
        if n < 2 then n
        else
          let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
          a + b

      let () = Printf.printf "%d\n" (fib 30)
    ]}

    {b Where code runs.} A {e pool} is a set of domains that steal waiting work from each other. Every
    function of this module may be called from any thread of any domain. If a task of a pool calls it, it
    works in that pool; a call from elsewhere enters the {e default pool}, which starts by itself with the
    right size ({!Pool.default}).

    {b What starts domains.} A program has a single domain until code outside all pools makes one of these
    calls, and also after it if the pool has a single domain: {!run}, {!par}, {!all}, {!async}, {!pipeline},
    {!Scope.run}; {!Cancel.within}, {!Cancel.with_timeout}, {!Cancel.with_deadline}, {!Limit.run};
    {!Promise.map}, {!Promise.bind}, {!Promise.both}, {!Promise.all}, {!Promise.cancellable}; {!Pool.default},
    {!Pool.async}, {!Random.permutation}; a loop with an iteration; every use of a sequence, by
    {!Seq.fold_left} too, and almost every other function of the collections, however few the elements are,
    whether it calls a function or not ([Array.rev], [Floatarray.sum], [Atomic_array.make]). From then on
    [Unix.fork] is refused, even when all domains have ended.

    These start none: functions on empty arrays, lists and sequences; making a sequence; [length], [get],
    [set], [of_list], [to_list], [of_seq], [to_seq], [fold_left], [fold_right] and [shuffle] of arrays; their
    copies and [make] of up to 4,096 elements; [take] and [drop] of lists; promises that are made, resolved
    and awaited, and all else that is waited for; {!sleep}, {!yield}, {!blocking}. (In a task, {!blocking}
    starts one for its helpers. In a pool of one domain, a task of {!async} that nobody awaits starts one that
    takes the caller's place.)

    {b Waiting.} Inside a pool, waiting suspends the calling {e fiber} (the task with its stack), and the
    domain goes on with other work. Outside, the calling thread works in the default pool while it waits, if
    the pool's place for a caller is free. It may then run other tasks before the call returns, so it should
    hold no lock. If the place is taken, the call blocks the calling thread, and no other. A time-out of 0 or
    less does not wait; one that is not a number raises [Invalid_argument], whether the operation must wait or
    not.

    {b Exceptions.} A fork-join call raises an exception only when both of its sides have ended. If one side
    fails before the other one has started, the other one is not run at all; if it is running, it is cancelled
    ({!Cancel}), and the call waits for its end. If both raise all the same, the leftmost exception wins; the
    others go to {!set_suppressed_handler}. Backtraces are kept.

    {b Effects of your own.} A {e part} is one function of a fork-join call ({!par}, {!all}, the loops and
    collections). If a part performs an effect that it does not handle itself, the handlers around the call
    handle it, whether another domain has stolen the part or not; their {e answer} resumes the part. The
    caller performs the effect for the part; if the part was stolen, it does so once its own side has ended.
    So a side that waits for another one that waits for an answer is a deadlock ({!Deadlock}). A part that is
    no longer wanted gets {!Cancel.exception-Cancelled} instead of an answer. If the handler drops the
    computation, the part that waits for the answer is dropped with it. To answer a part that was stolen costs
    about as much as to suspend a fiber twice.

    A handler around a call that enters a pool ({!run} from outside all pools, or from a task of another pool)
    never gets an effect: [Effect.Unhandled] is raised where the effect is performed, and [Printexc.to_string]
    says why.

    If a task of {!async} performs an effect that it does not handle itself, the first fiber that awaits the
    task performs the effect for it, at its {!await}, wherever the task runs. So a handler around [await]
    answers; the task gets the answer and goes on. A task that nobody awaits yet waits until somebody does.
    The end of a scope awaits all its tasks, and so does {!pipeline}: handlers around {!Scope.run} and
    [pipeline] answer. A task that awaits another one passes the effects that it does not handle on to the
    fiber that awaits it in turn; so do {!Promise.map}, {!Promise.bind}, {!Promise.both} and {!Promise.all}.
    If the fiber that answers is cancelled, the next one that awaits the task answers. If a task is cancelled
    while it waits for an answer, the exception is raised in it at once. An answer costs about a microsecond,
    and some nanoseconds for each fiber that awaits the same task.

    [Effect.Unhandled] is raised in the task instead, with a reason, if the first to ask for its result is
    {!Promise.race}, {!Promise.any}, {!Select} or an [await] outside of all pools; and if nobody can await the
    task any more: its promise is garbage, its pool is closed, the handler has dropped the computation that
    awaited it, or all others wait ({!Deadlock}). {!Promise.is_settled}, {!Promise.peek} and
    {!Promise.on_settled} do not count as awaiting.

    A handler inside a pool may keep the computation that it captures; it should continue it in its own fiber.
    In another fiber it goes on, too, but then time-outs, cancellations and bindings are those of one or the
    other; and where it waits for a part of a call that another pool runs, it goes on in that pool. Outside of
    all pools it goes on as code there does: it waits by blocking its thread, and the default pool runs its
    forks. A lock belongs to the fiber or thread that took it, which alone may unlock it.

    {b Memory.} A task is sure to see the writes of another task only if one of these calls orders the two:

    - {e Fork.} The functions that {!par}, {!all}, a loop, {!async}, {!Scope.async}, {!Pool.run},
      {!Pool.async} or {!blocking} runs see what the caller wrote before the call.
    - {e Join.} When {!par}, {!all}, a loop, {!Scope.run}, {!run}, {!Pool.run} or {!blocking} has returned or
      raised, the caller sees what both sides, all iterations, all tasks or the function wrote. When
      {!Pool.close} has returned, its caller sees what all tasks of the pool wrote.
    - {e Promise.} When {!await} has returned, or raised what the task raised, the caller sees what the task
      wrote, or what was written before {!Promise.resolve} or {!Promise.reject}. That holds also if the
      promise was settled long before, when {!Promise.is_settled} was [true] or {!Promise.peek} was [Some _],
      and for a function that {!Promise.on_settled} calls.
    - {e Message.} The receiver of a message sees what the sender wrote before it sent the message. A receive
      that fails because the channel is closed sees what was written before {!Chan.close}. The cases of
      {!Select} order as the operations that they stand for. {!Broadcast.recv} sees what was written before
      the {!Broadcast.send} of that message.
    - {e Lock.} A fiber that has locked a {!Mutex} sees what was written before each earlier unlock of it. So
      does a writer of an {!Rwlock}; a reader sees what earlier writers wrote. A fiber that has acquired a
      {!Semaphore} sees what was written before the release that made room for it; a function that
      {!Limit.run} runs sees what the fibers wrote that made room for it. A {!Condition} orders by its mutex.
    - {e Others.} {!Ivar.read} sees what was written before {!Ivar.fill}; {!Mvar.take} sees what was written
      before the {!Mvar.put} of that value; {!Latch.wait}, before all calls of {!Latch.count_down};
      {!Barrier.wait}, before all arrivals of that round. {!Once.get} sees what the computation wrote.
    - {e Worker.} If two tasks run on the same worker, one after the other, the second sees what the first
      wrote: so {!Local.Worker_local} needs no locks.
    - {e Batch.} A call of a structure of [Weft_batch] that sees the effect of another call sees what that
      call's caller wrote before it.
    - OCaml's own [Atomic], [Mutex], [Domain.join] and so on order as without Weft, and the elements of an
      {!Atomic_array} as an [Atomic].

    A fiber sees its own writes even after it has moved to another domain. No other calls order anything: not
    {!yield}, {!sleep}, {!Chan.is_closed}, {!Chan.length} or cancellation. Two sides of a fork, two iterations
    of a loop and two tasks of a scope are not ordered with each other: if both do [n := !n + 1], one of the
    two updates may be lost. Memory stays safe whatever happens (OCaml's memory model).

    {b Cost.} The cost of a function is stated as its {e work}, the number of all steps, and, if it runs in
    parallel, also as its {e span}, the longest chain of steps in which each needs the one before. Each
    function is O(1) in steps and words, beside the calls of the functions it is given, unless it says
    otherwise. The loops ({!parallel_for}, {!parallel_for_reduce}, {!parallel_for_blocks},
    {!parallel_for_reduce_blocks}, {!parallel_scan}, {!parallel_scan_exclusive}, {!parallel_find},
    {!parallel_find_first}) are O(n) work for n iterations, and so is {!all_settled} for n functions. {!par}
    forks once, {!par3} twice, {!par4} three times. To suspend a fiber and resume it is O(1), some tenths of a
    microsecond. Each module says what its own functions cost; times are of one machine, and [weft bench]
    measures them on yours.

    {b Limits}: [doc/limits.md] lists what does not work, or works less well than expected. *)

type 'a promise = 'a Promise.t
(** The result, perhaps to come, of a task. See {!Promise}. *)

(** {1 Fork-join} *)

val run : ?domains:int -> ?minor_heap:int -> (unit -> 'a) -> 'a
(** [run f] is [f ()], run as a task of the default pool: the calling thread works in the pool until [f ()]
    has returned. If another thread already works there in the caller's place, the pool does the work, and the
    call blocks its own thread only. Inside a task, [run f] is [f ()].

    [run ~domains f] makes a pool of [domains] domains for the call alone, the calling one included, and
    closes it at the end ({!Pool.close}). Inside a task of another pool, the calling fiber is suspended, and
    the pool has [domains] domains besides the caller's, each of which starts when there is work for it. To
    make a domain costs about 0.1 ms. [minor_heap], in words: see {!Pool.create}; also without [domains], it
    makes a pool for the call.

    A program need not call [run]. It is of use to choose a size, and to enter the pool once for many small
    calls (entering costs a few microseconds).

    {b Signals.} While a thread is in [run], or in any other call of this library from outside, a handler of
    [Sys.signal] never runs in the middle of a task. It runs at a poll of the computation that gets the
    signal: at a fork, between two blocks of a loop, before a wait, in {!Cancel.check}, between two tasks, and
    while the calling thread waits. That computation is the one that the program's first thread has entered,
    or else the one that was entered first. If the handler raises an exception ([Sys.Break], say), that
    cancels the computation, as {!Cancel} would: its fibers unwind, scopes wait for their tasks, and the
    caller gets the exception, whatever [f] returns or raises. (A task of {!async} that others run belongs to
    no computation, and goes on.) If a handler raises again meanwhile, the caller leaves [run] at once with
    that exception, and the tasks, already cancelled, end by themselves. This is the only way to leave a
    structured call early. A SIGINT after that, or one that comes 0.1 s or more after another that no poll has
    seen yet, ends the process as by default, with a line that says so. A handler that waits delays later
    handlers and the return of [run].

    {b Functions that must not raise in a pool}, since they run in the middle of any code that allocates or
    loops: callbacks of [Gc.Memprof], handlers of real-time signals, and a handler that a task has just
    installed, for some 10 ms or until the next call from outside. What a finaliser or an alarm of [Gc] raises
    in a pool, or in a thread that waits in a call of this library, goes to {!set_uncaught_handler}, and the
    code that it interrupted goes on. While no thread is in a call of this library, handlers run as in OCaml,
    but never on a domain of a pool. If one raises in the middle of an operation of this library, the lock,
    channel or structure may stay half changed, as one of the standard library would.
    @raise Invalid_argument if [domains < 1] or [minor_heap < 4096]. *)

val par : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [par f g] is [(f (), g ())], where [g ()] may run at the same time as [f ()] on another domain. It returns
    or raises when both have ended. [f] starts at once on the calling domain; [g] starts when an idle domain
    steals it, or when [f] is done. If neither happens for 0.2 s, the worker suspends [f] where it next polls
    (at a fork, between two blocks of a loop, before a wait), runs [g], and goes on with [f] after it; the
    next fork of that worker waits twice as long for this, up to 12.8 s. Nothing needs to be tuned: a fork
    that no other domain steals costs about as much as eight plain calls. So [fib], which only calls itself,
    takes about five times as long with a fork at each call ([weft bench fib --cutoff none]).

    Suspends the calling fiber if [g] has started and still runs when [f] is done.

    The order of work is child-first with lazily stolen right branches, as in Cilk-5 (Frigo, Leiserson and
    Randall, PLDI 1998) and Lea's fork-join framework (2000). *)

val par3 : (unit -> 'a) -> (unit -> 'b) -> (unit -> 'c) -> 'a * 'b * 'c
(** [par3 f g h] is [(f (), g (), h ())], like {!par}. *)

val par4 : (unit -> 'a) -> (unit -> 'b) -> (unit -> 'c) -> (unit -> 'd) -> 'a * 'b * 'c * 'd
(** [par4 f g h i] is [(f (), g (), h (), i ())], like {!par}. *)

val all : (unit -> 'a) list -> 'a list
(** [all fs] calls every function of [fs], perhaps at the same time, and is the list of their results in the
    order of [fs]. It divides the list in halves by {!par}, at the cost of one fork per function: O(n) work
    for n of them, a span of O(log n) forks, and O(n) short steps of the caller before and after. If several
    raise, the leftmost exception wins. Functions that have not started when one raises are not called. *)

val all_settled : (unit -> 'a) list -> ('a, exn * Printexc.raw_backtrace) result list
(** [all_settled fs] is like {!all}, but calls every function whatever the others do, and returns how each one
    ended. It raises nothing. *)

(** {1 Loops}

    Nothing needs to be tuned: the loop measures how long its iterations take, and groups and spreads them
    accordingly. An iteration may be a single store or take seconds; iterations may differ, and loops may be
    nested to any depth. Every few microseconds other domains get a chance to steal a part of the rest.
    [chunk_size] is for experiments: at most so many iterations run in a row before other domains get that
    chance. In {!parallel_for_blocks} it is the length of a block, in {!parallel_for_reduce_blocks} the
    greatest. All ranges include both ends, as in [for]; if [finish < start] they are empty. Any two integers
    are a range, [min_int] to [max_int] too, which has more than [max_int] indices; {!Seq.of_range} alone
    refuses those.

    Iterations run in any order, several at a time, in the calling fiber or in others; all have ended when the
    call returns or raises. When one raises, no new group of iterations is started, and the exception of the
    smallest failing index that ran is raised, with its backtrace; the others go to {!set_suppressed_handler}.
    Inside a pool a loop may suspend the calling fiber at its end. Besides its iterations a loop costs less
    than a microsecond inside other loops or in a pool of one domain, and a few microseconds if idle domains
    join in, or from outside a pool. Work: O(n) for n iterations. Span: O(log n) forks, a block, and the
    longest iteration; a block takes a few microseconds, or has [chunk_size] iterations; in reductions it has
    up to 64 (up to 2,048 in {!parallel_for_reduce_blocks}), unless [chunk_size] is given.

    An iteration that waits does not hold up the others: when its fiber is suspended, other fibers go on with
    the iterations that have not begun, even on one domain. Only the other iterations of its own block wait
    for it. The number of iterations that wait at the same time is limited: see [doc/limits.md].
    @raise Invalid_argument (all of them) if [chunk_size < 1]. *)

val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit
(** [parallel_for ~start ~finish ~body ()] is [for i = start to finish do body i done], with iterations that
    may run at the same time.

    {b Do not forget the last [()]}: without it, the expression is a function, and no iteration runs. (OCaml
    needs it to know that [chunk_size] is left out.)

    The range is first halved by {!par} and then, within its parts, split whenever idle domains have emptied
    the worker's queue: lazy binary splitting (Tzannes, Caragea, Barua and Vishkin, PPoPP 2010) with blocks
    measured by time. *)

val parallel_for_reduce :
  ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [parallel_for_reduce ~start ~finish ~body combine init] combines [init] and then
    [body start, ..., body finish], in this order, by [combine], which should be associative. The result is
    [init] if the range is empty; otherwise [init] enters once.

    Which values are combined with which depends on [start], [finish] and [chunk_size] alone. So the result
    has the same bits for every number of domains and every schedule, even if [combine] is only nearly
    associative, as [+.] is.

    {b [init] and the results of [body] should be immutable}: [combine] must not change them in place. *)

val parallel_for_blocks :
  ?chunk_size:int -> start:int -> finish:int -> body:(int -> int -> unit) -> unit -> unit
(** [parallel_for_blocks ~start ~finish ~body ()] is {!parallel_for} in blocks: [body first last] is called
    for ranges [first] to [last], both included, none of them empty, which cover [start] to [finish], each
    index once. Use it where an iteration is a few nanoseconds: the loop inside [body] is plain code, so an
    iteration costs what it costs in a sequential loop, not the call of a closure more (about two nanoseconds:
    [weft bench reduce]).
    {[
      let add first last =
        for i = first to last do
          a.(i) <- a.(i) + b.(i)
        done
      in
      Weft.parallel_for_blocks ~start:0 ~finish:(Array.length a - 1) ~body:add ()
    ]}

    {b How long blocks are.} By default time decides, and runs differ. A worker begins with single iterations;
    a block is up to sixteen times as long as the one before until it takes about a microsecond, and shorter
    again where it takes more than a few. Where earlier calls with this [body] were short, it begins with one
    iteration, then at most 16, 64 and 256 at a time. So [body] should have nothing to prepare: what takes
    longer than an iteration would be prepared again for each, or for a few. With [chunk_size], every block
    has that many iterations, counted from [start], and only the last one may have fewer: choose it where a
    block needs a buffer, or has a result of its own.

    {b Exceptions}: of the blocks that raised, the one with the smallest [first] wins. The rest of a block
    that has raised is not run. Cancellation is noticed between blocks. An iteration that waits holds up the
    rest of its block. Work and span are those of {!parallel_for}, a block of [chunk_size] counting as an
    iteration. *)

val parallel_for_reduce_blocks :
  ?chunk_size:int -> start:int -> finish:int -> body:(int -> int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [parallel_for_reduce_blocks ~start ~finish ~body combine init] combines [init] and then the results of
    [body first last] for ranges that cover [start] to [finish], from left to right, by [combine], which
    should be associative. The ranges include both ends, and none is empty. The result is [init] if there are
    none; otherwise [init] enters once.

    {b The blocks are fixed} by [start], [finish] and [chunk_size] alone, and so is the tree in which their
    results are combined: by halves, as in {!parallel_for_reduce}. So the result has the same bits for every
    number of domains and every schedule. The range is halved until a part has at most [chunk_size] indices.
    The default is n / 32 + 1 for n indices, but at least 64 and at most 2,048. If [body] itself combines from
    the left, the result is that of {!parallel_for_reduce} if both are given the same [chunk_size].

    Use it where an iteration is a few nanoseconds: a sum of a large array costs what a sequential loop costs
    ([weft bench reduce]).
    {[
      let sum first last =
        let s = ref 0. in
        for i = first to last do
          s := !s +. a.(i)
        done;
        !s
      in
      Weft.parallel_for_reduce_blocks ~start:0 ~finish:(Array.length a - 1) ~body:sum ( +. ) 0.
    ]}
    A block runs on one domain, however long it takes: if an iteration takes longer than a microsecond,
    {!parallel_for_reduce} spreads it better. A single block is [body start finish], called by the calling
    fiber if that is in a pool. Exceptions and waiting are as in {!parallel_for_blocks}; span: O(log n) forks
    and the longest block. *)

val parallel_scan : ('a -> 'a -> 'a) -> 'a array -> 'a array
(** [parallel_scan combine a] is the array of prefix sums: element [i] is [a.(0), ..., a.(i)] combined by
    [combine], which should be associative. Deterministic like {!parallel_for_reduce}. [combine] is called
    about twice per element, so two domains hardly gain on cheap functions. O(n) work, and the span of
    {!Array.scan}. *)

val parallel_scan_exclusive : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array
(** [parallel_scan_exclusive combine init a] is the array whose element [i] is [init, a.(0), ..., a.(i - 1)]
    combined; element 0 is [init]. Otherwise it is like {!parallel_scan}. *)

val parallel_find : ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> unit -> 'a option
(** [parallel_find ~start ~finish ~body ()] is [body i] for some [i] in the range for which it is [Some _];
    [None] if there is none. Once one is found, no new group of iterations starts. An answer wins against an
    exception raised elsewhere. *)

val parallel_find_first :
  ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> unit -> 'a option
(** [parallel_find_first ~start ~finish ~body ()] is [body i] for the smallest [i] in the range for which it
    is [Some _]; [None] if there is none. If [body i] raises and no smaller index has an answer, it raises
    that exception, like the sequential search. Once an answer is known, iterations above it are not started.
*)

val speculative_for :
  ?round:int -> start:int -> finish:int -> reserve:(int -> bool) -> commit:(int -> bool) -> unit -> unit
(** [speculative_for ~start ~finish ~reserve ~commit ()] runs a loop whose iterations may depend on earlier
    ones, but seldom do: in parallel, with the effect of [for i = start to finish]. It works in rounds. Each
    round tries the first iterations that are not done: it calls [reserve i] for all of them, in parallel, and
    then [commit i] for those whose [reserve i] was [true], again in parallel. An iteration is done when
    [reserve i] returns [false] (there is nothing to commit) or [commit i] returns [true]. Those whose
    [commit i] returns [false] are tried again in the next round, together with new ones.

    [reserve i] looks at what the iteration needs, and claims what it would change. For this, each thing that
    iterations change has a cell, an [Atomic.t] with the number of an iteration: [reserve i] lowers the number
    in the cells that it needs to [i], so that the least [i] wins. It changes nothing else, except data of its
    own. [commit i] makes the change and returns [true] if all cells that the iteration needs hold [i];
    otherwise it returns [false]. In both cases it resets the cells that hold [i]. The result is that of the
    sequential loop if [commit i] can succeed only when all iterations that [i] depends on are done. Which
    iterations a round tries depends on the range, [round] and the results of [commit] alone: the loop is
    deterministic if these are.

    The first round tries a fourth of [round] iterations. Later rounds try up to [round], and fewer after a
    round of which more than a fifth must be tried again. By default [round] is a twentieth of the range, at
    least 1,024; it is never more than 1,048,576.

    {b Exceptions}, as in {!parallel_for}: an exception of [reserve] or [commit] ends the round and the loop.
    Iterations of earlier rounds are done then, some of this round may be, and cells may still hold numbers.

    {b Cost}: two loops for each round, and O(tries) work. If each iteration depends on the one before, there
    are as many rounds as iterations, and O(n{^ 2}) tries at worst.

    Deterministic reservations (Blelloch, Fineman, Gibbons and Shun: Internally deterministic parallel
    algorithms can be fast, PPoPP 2012).
    @raise Invalid_argument
      if [round < 1], or if in some round [reserve] returned [true] for every iteration and [commit] for none.
      (That of the first iteration must succeed.) *)

(** {1 Pipelines} *)

module Stage = Pipeline.Stage

val pipeline : ?tokens:int -> (unit -> 'a option) -> ('a, unit) Stage.t -> unit
(** [pipeline produce stages] calls [produce] until it returns [None] and takes each item [x] that it returns
    as [Some x] through [stages]. It returns when all items have passed.

    {[
      Weft.pipeline
        (fun () -> In_channel.input_line source)
        Weft.Stage.(parallel compress >>> in_order (output_string target))
    ]}

    [produce] is called by one fiber at a time, not always the same. At most [tokens] items are in the
    pipeline at the same time, including the one that is being produced and those that wait for an item in
    front of them. So memory is bounded, however slow a stage is. The default is four per domain.

    Stages may suspend and may call any function of this library, [pipeline] included. An item that must wait
    for its turn at a serial stage (in order or not) suspends its fiber, and the domain goes on with another
    item. An item whose turn it is already is not suspended.

    When [produce] or a stage raises, nothing more is produced, and the items in the pipeline are dropped at
    the next stage. When all have left, the exception of the earliest item that raised is raised, with its
    backtrace; an exception of [produce] counts as one of the item that it did not return. The others go to
    {!set_suppressed_handler}.

    O(1) work per item and stage, and O([tokens]) words. An item costs about 50 ns, and each stage where it
    need not wait some 5 (parallel) to 25 ns (in order), measured with empty stages on one domain. An item
    that waits, or that another domain takes over, costs several times as much. So items of less than one or
    two microseconds pass on one domain, in turn, at some 100 ns more each than in a pool of one: put several
    of them in one item.
    @raise Invalid_argument if [tokens < 1]. *)

val pipeline_to_list : ?tokens:int -> (unit -> 'a option) -> ('a, 'b) Stage.t -> 'b list
(** [pipeline_to_list produce stages] is like {!pipeline}, and is the list of the results in the order in
    which the items were produced: O(n) words for n items. *)

(** {1 Promises} *)

val async : (unit -> 'a) -> 'a promise
(** [async f] starts a task that computes [f ()] and is a promise of the result. It returns at once, and never
    suspends; with an {!await} that runs the task in place, it costs about twice a fork of {!par}
    ([weft bench fib]). The task may run at any later time on any domain of the pool. If it has not started
    when it is awaited, {!await} may run it in place.

    {b Nothing bounds how many tasks wait to begin}: until it has run, each takes some ten words and keeps
    what its function refers to; {!run} does not wait for them. A program that starts tasks faster than the
    pool runs them should await some of them now and then, or use a {!Scope} or a {!Limit}. Once a task has
    run and its promise is dropped, it takes no memory.

    If the task raises and its promise is garbage (or the pool is closed, or the program ends) before anybody
    asked for its outcome, the exception goes to {!set_uncaught_handler}.
    @raise Cancel.Cancelled if the calling fiber is cancelled: no task starts then. *)

val await : 'a promise -> 'a
(** [await p] is the result of [p]; if it is an exception, it is raised with the backtrace of its origin. Any
    number of fibers and threads may await the same promise.

    If the task has not started, nobody else awaits it, no {!Limit} bounds it, and nothing can stop the
    calling fiber (it is in no time-out, token or scope), [await] runs it at once in the calling fiber.
    Otherwise the fiber is suspended until the task ends.

    The first fiber that awaits a task performs the effects that the task does not handle itself, here, under
    its own handlers: see {e Effects of your own} above.
    @raise Cancel.Cancelled if the calling fiber is cancelled while it waits.
    @raise Deadlock.Deadlock if a deadlock is found while it waits.
    @raise Pool.Closed if the pool of the calling fiber is closed while it waits. *)

val yield : unit -> unit
(** [yield ()] lets other waiting work run first: the calling fiber is suspended and joins the end of the
    pool's common queue, behind all fibers that have yielded; jobs that come from outside later, and fibers
    whose wait has ended, go before it, but do not keep it from running for more than 10 ms. A worker takes
    from that queue when its own deque is empty, and every 64th time in any case. About 0.2 us, and O(d)
    inside d calls of {!Cancel}. Outside a pool it is [Thread.yield ()]. *)

(** {1 Time} *)

val sleep : float -> unit
(** [sleep seconds] suspends the calling fiber for that long; outside a pool it blocks the calling thread. It
    ends at most about a millisecond late, by the kernel's clock, if a worker is free to run the fiber; the
    time in which the machine was suspended does not count ({!now}). O(log n) if n timers are set. With zero
    or less it is {!yield}. A cancellation point ({!Cancel}).
    @raise Invalid_argument if [seconds] is not a number.
    @raise Sys_error if the system refuses the thread that watches the clock; all time-outs raise that, too.
*)

val now : unit -> float
(** [now ()] is the time in seconds on a clock that starts anywhere and never goes back. Deadlines refer to it
    ({!Cancel.with_deadline}), and all time-outs. On Linux it stands still while the machine is suspended: a
    time-out of an hour then ends an hour of running later. For a moment of the day, look at
    [Unix.gettimeofday] now and then. 50 ns. *)

(** {1 Calls that block} *)

val blocking : (unit -> 'a) -> 'a
(** [blocking f] is [f ()], called by a helper thread while the calling fiber is suspended: for calls that
    block their system thread, such as [Unix.read], [Unix.sleepf], [Mutex.lock] of the standard library or
    calls into other libraries. The domains of the pool go on with other work. It returns or raises what
    [f ()] does, with its backtrace. Outside a pool it is [f ()], and blocks the calling thread.

    {b How many at a time.} Helper threads start when they are needed and end when they have had nothing to do
    for 0.1 s. There are at most 512, or as many as the environment variable [WEFT_BLOCKING_THREADS] says (1
    to 10,000); further calls wait in a queue, first come, first served. If every helper thread is blocked on
    a call that is still queued, the program deadlocks.

    {b What [f] is.} It sees the values that the caller has bound with {!Local.Task_local}; the values of
    [Domain.DLS] are another domain's. It runs outside all pools: if it calls functions of this library, it is
    a caller from outside, and waiting blocks its own thread only. If [f] performs an effect that it does not
    handle itself, no handler around [blocking] is asked, in a pool: [Effect.Unhandled], with the reason. All
    helpers share one domain, besides those of the pools. So they do not compute in parallel, and nothing is
    gained by computing there: only blocking calls overlap. Signal handlers do not run on helpers. If [f]
    calls [Thread.exit], [blocking] raises the exception that [Thread.exit] raises.

    {b Cancellation.} If a fiber is cancelled while its call is still in the queue, it drops the call at once.
    If the call is running, the fiber waits for its end and gets its outcome; the cancellation takes effect at
    the next cancellation point. Closing a pool waits for the calls of its tasks, queued ones too. The end of
    the program waits for none.

    For each call, two threads must be woken, which takes some ten microseconds. If no domain can be started
    any more (OCaml allows 128), helpers run in the domain of a caller: they may then have to wait, some 50 ms
    at a time, for tasks that compute there. Signal handlers must not call it. *)

(** {1 Exceptions nobody awaits} *)

val set_uncaught_handler : (exn -> Printexc.raw_backtrace -> unit) -> unit
(** [set_uncaught_handler h] makes [h] the function that gets the exceptions of tasks that nobody awaited,
    once each; except {!Cancel.Cancelled}, which ends a task that the program has cancelled. It also gets
    those of rejected promises that nobody awaits, of functions of {!Promise.on_settled}, and of finalisers.
    The default prints the exception and its backtrace to standard error, and says where it comes from. [h]
    may be called in any domain and from the garbage collector's finalisers; it must neither wait nor raise
    (an exception of [h] is printed), and handle its effects itself. *)

val uncaught_handler : unit -> exn -> Printexc.raw_backtrace -> unit
(** [uncaught_handler ()] is the handler that is set now: a handler of your own can call it, or you can
    restore it later. *)

val default_uncaught_handler : exn -> Printexc.raw_backtrace -> unit
(** The handler that a program begins with. It prints the exception as that of a task, with its backtrace, to
    standard error. *)

val exit_on_uncaught : int -> unit
(** [exit_on_uncaught code] is for test programs: if the default handler prints something from now on, the
    program ends with exit code [code], whatever its code would have been. Nothing else changes. Exceptions
    that are still unreported when the program ends are reported then, by a function that this library gave to
    [at_exit] when it was linked. Functions that the program itself gives to [at_exit] run before it: if a
    task fails in them, that counts, too. With [code] 0, as when the program begins, an exception that nobody
    awaits does not change the exit code.
    @raise Invalid_argument if [code] is not in 0..255. *)

val set_suppressed_handler : (exn -> Printexc.raw_backtrace -> unit) -> unit
(** [set_suppressed_handler h] makes [h] the function that gets the exceptions that {!par}, {!par3}, {!par4},
    {!all} or a loop had to drop because an exception further left won, or an answer. The default ignores
    them. The rules for [h] are those of {!set_uncaught_handler}. *)

(** {1 A program that hangs} *)

val dump : unit -> unit
(** [dump ()] writes to standard error who waits for what, where and since when, in all pools. From any
    thread; workers go on. O(fibers that wait). A signal for it, and the same as data: {!Dump}.
    @raise Sys_error if standard error cannot be written, or as {!Dump.to_string}. *)

(** {1 Modules}

    [open Weft] hides OCaml's modules of the same names. {!Weft.Array} and {!Weft.List} have all functions of
    OCaml's ([doc/stdlib.md]), but {!Weft.Seq.t} is another type than OCaml's. So it is better not to open
    [Weft], and to write [Weft.Array]. *)

module Pool = Pool
module Profile = Weft_profile.Profile
module Stats = Stats
module Promise = Promise
module Scope = Scope
module Cancel = Cancel
module Limit = Limit
module Deadlock = Deadlocks
module Dump = Dump
module Array = Parallel_array
module Atomic_array = Atomic_array
module Floatarray = Parallel_floatarray
module List = Parallel_list
module Bigarray = Parallel_bigarray
module Random = Task_random
module Seq = Parallel_seq
module Local = Local

module Mutex = Fiber_mutex
(** Locks: at most one fiber or thread holds a mutex. *)

module Poisoning_mutex = Poisoning_mutex
(** Mutexes that know that a holder failed. *)

module Condition = Fiber_condition
(** Conditions: a fiber that holds a mutex waits until another one signals. *)

module Semaphore = Fiber_semaphore
(** Semaphores: a number of units, which are acquired and released. *)

module Rwlock = Rwlock
(** Any number of readers, or one writer. *)

module Chan = Chan
(** Channels: queues of messages between fibers, threads and domains. *)

module Broadcast = Broadcast
(** Channels whose subscribers all get every message, and learn how many they have missed. *)

module Select = Select

module Barrier = Barrier
(** Barriers: a number of participants wait for each other, again and again. *)

module Latch = Latch
(** Latches: a count goes down to zero, and all that wait for that are resumed. *)

module Ivar = Ivar
(** Variables that are written once; readers wait until then. *)

module Mvar = Mvar
(** Places for one value, full or empty: a take waits until there is a value, a put until there is none. *)

module Once = Once
(** Values that are computed once, when a task first asks for them. *)

module Trace = Trace
