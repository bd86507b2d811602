(** The memory of a work-stealing deque, and which deque belongs to the calling thread.

    [Weft_scheduler.Deque] holds the algorithm; this module holds the words it works on, so that a model
    checker can put its own words in their place.

    {b Outside the heap.} The words lie in memory from [malloc], in the form of OCaml blocks that the garbage
    collector neither marks nor moves. The slots between [top] and [bottom] are roots: a hook
    ([caml_scan_roots_hook]) shows them to the collector, once per collection, in the domain that has
    {!adopt}ed the deque. This has three effects. A push is a plain store, where an array in the heap would
    pay [caml_modify] (doc/rationale.md has the figures). A job that has left the deque is no longer reachable
    from it, so no slot ever needs clearing. And the deque of the current thread is one thread-local load
    away, without a table of workers.

    {b The rule that makes it sound}: a slot whose index is not from [top] (included) to [bottom] (excluded)
    may hold the stale address of a job long gone. Such a word may be compared, but must never be seen by the
    collector; so there must be no safepoint (allocation, poll, call of OCaml code) between reading a slot and
    knowing, by the indices, that it was inside. [test/asm] looks at the machine code for that. *)

type 'a t
(** The words of one deque of ['a]s. ['a] must be a heap block, never immediate and never [float]. *)

type word = { mutable value : int }
(** A padded word outside the heap. *)

external make_word : unit -> word = "weft_word_make"
(** A word with value 0. *)

external free_word : word -> unit = "weft_word_free"
[@@noalloc]
(** Gives it back for another {!make_word}. Late readers read 0, or another pool's word. *)

val make : id:int -> capacity:int -> wake:word -> 'a t
(** An empty deque that nobody has adopted. [capacity] is a power of two; [id] and [wake] are for the
    scheduler. *)

external free : 'a t -> unit = "weft_deque_free"
[@@noalloc]
(** Gives the memory back for another {!make}. The deque must be empty and no thread may use it any more. *)

external adopt : 'a t -> unit = "weft_deque_adopt"
[@@noalloc]
(** From now on the calling domain shows the slots to the collector. *)

external abandon : 'a t -> unit = "weft_deque_abandon"
[@@noalloc]
(** From now on nobody does. The deque must be empty; its context is [()] again. *)

(** {1 Words} *)

val bottom : 'a t -> int
(** A plain read: atomic, but ordered only by the barriers of [Membarrier]. *)

val set_bottom : 'a t -> int -> unit
(** A plain write, the owner's. *)

val top : 'a t -> int
(** An atomic read. *)

val cas_top : 'a t -> int -> int -> bool
(** A sequentially consistent compare-and-set. *)

val limit : 'a t -> int
(** The owner may push while [bottom < limit]. Else it takes the slow path: the ring may be full, or [limit]
    is 0 because of a {!request_preempt}. *)

val set_slot : 'a t -> int -> 'a -> unit
(** The owner's write of the slot of an index, in the ring in force. *)

val slot_is : 'a t -> int -> 'a -> bool
(** Whether the slot of an index holds this very block, read by the owner. May be wrongly [true] for an index
    that is not from [top] (included) to [bottom] (excluded). *)

val slot : 'a t -> int -> 'a
(** The owner's read of a slot. Mind the rule above; in bytecode it is kept for you: if the index is not from
    [top] to [bottom], you get a value that is no block. *)

val stolen_slot : 'a t -> int -> 'a
(** A thief's read of a slot: one read of the ring, whose mask lies in the ring itself. Mind the rule above.
*)

external taken : 'a -> 'a = "weft_deque_taken"
[@@noalloc]
(** The same job, which a thief has just taken off a deque by {!cas_top}; to be called before the next
    safepoint: for the collector, which may be marking the roots of the deque's owner at this moment (from
    OCaml 5.5 on). Does not allocate. *)

val make_room : 'a t -> unit
(** The owner's, when [bottom >= limit]: doubles the ring if it is full, and moves [limit] up, unless a
    {!request_preempt} is not acknowledged yet: then [limit] is 0. Afterwards there is room for one more
    element. Old rings stay readable; they take as much memory again at most, and live until the deque is
    released. Raises [Out_of_memory], with nothing changed. *)

val wake : 'a t -> int
(** The value of the word given to {!make}. *)

val deferred : 'a t -> int
(** An index whose steal thieves put off ({!Weft_scheduler.Deque.push_deferred}); -1 at first. A plain read:
    it says how thieves should behave, not what they may. *)

val set_deferred : 'a t -> int -> unit
(** A plain write, the owner's. *)

val id : 'a t -> int
val forks : 'a t -> int

val count_fork : 'a t -> unit
(** Adds one to {!forks}; the owner's. *)

(** {1 Whole operations, for bytecode}

    There each call and each loop is a safepoint, and each store passes the write barrier, which follows the
    stale address that it overwrites. So {!Weft_scheduler.Deque} calls these instead, which are one step for
    the collector. Their accesses are sequentially consistent; so they need no other barrier. *)

val is_bytecode : unit -> bool
(** A constant in native code. *)

val push : 'a t -> 'a -> unit
(** Makes room if need be. May raise [Out_of_memory]. *)

external pop_if : 'a t -> 'a -> bool = "weft_deque_pop_if" [@@noalloc]
external pop : 'a t -> nil:'a -> 'a = "weft_deque_pop" [@@noalloc]

external take_top : 'a t -> nil:'a -> 'a = "weft_deque_take_top"
[@@noalloc]
(** The owner's [take_eldest], and a thief's [steal]. *)

(** {1 Preempting the owner} *)

external request_preempt : 'a t -> unit = "weft_deque_request_preempt"
[@@noalloc]
(** [request_preempt d] makes [limit] 0, from any thread, so that the owner's next push takes the slow path. A
    {!make_room} at the same time does not lose it. The deque may be {!free} already, or in use again: then it
    is a false alarm. 10 ns. *)

external anonymous : 'a t -> unit t = "%identity"
(** The same deque, for {!request_preempt} only. *)

external acknowledge : 'a t -> bool = "weft_deque_acknowledge"
[@@noalloc]
(** The owner's: whether there was a {!request_preempt} since the last {!acknowledge}. [limit] stays as it is
    until {!make_room}. *)

external hold : 'a t -> unit = "weft_deque_hold"
[@@noalloc]
(** From now on [limit] stays 0, whatever {!make_room} does, so that every push takes its slow path. There is
    room for one element after each {!make_room} all the same. It is no {!request_preempt}, and needs no
    {!acknowledge}. The owner's, or before there is one. *)

external let_go : 'a t -> unit = "weft_deque_let_go"
[@@noalloc]
(** Ends that, from the next {!make_room} on. *)

(** {1 Asking the owner} *)

external ask : 'a t -> by:'a t -> nil:'a -> 'a = "weft_deque_ask"
[@@noalloc]
(** [ask d ~by ~nil] interrupts the domain of [d]'s owner, which takes the top element off at its next
    safepoint and hands it to the caller, the owner of [by]. It is [nil] if the deque was empty, and if there
    was no answer within some microseconds (what a heavy barrier costs): the owner neither allocates nor loops
    (a recursion without allocation is such a computation), is in C, or does not run; another thread has its
    domain, or it is the caller's own; other thieves ask; the caller itself is wanted for a collection; or
    another library has replaced the runtime's hook.

    The owner is at a safepoint, so no operation of its own on [d] is under way, and it needs no barrier: it
    takes the element by a compare-and-set of [top], as {!Weft_scheduler.Deque.take_eldest} does. One thief
    asks at a time. It writes its deque into the victim's [asker]; the owner empties that and then writes the
    thief's [reply]. A thief that has waited long enough empties [asker] itself; if the owner was faster, the
    answer is about to come, and the thief waits for it.

    The interrupt is that of OCaml's runtime for its own tick thread ([requested_external_interrupt],
    [young_limit], [caml_domain_external_interrupt_hook]). Explicit requests: Acar, Chargueraud and Rainey,
    {e Scheduling parallel programs by work stealing with private deques}, PPoPP 2013. *)

external answer_thieves : unit -> unit = "weft_deque_answer_thieves"
[@@noalloc]
(** From now on, owners answer. Once, when there is only one domain, and after the initialisation of [Thread],
    which has the hook first. *)

(** {1 Counting collections} *)

external wake_after_collections : 'a t -> Parker.t -> int -> unit = "weft_deque_wake_after_collections"
[@@noalloc]
(** [wake_after_collections d p n]: when there have been [n] minor collections, [p] gets a token; it must last
    until the count ends. The owner's; the deque must be {!adopt}ed. *)

external wake_after_collections_no_more : 'a t -> unit = "weft_deque_wake_after_collections_no_more"
[@@noalloc]
(** Ends that, as {!abandon} does. *)

external collections_left : 'a t -> int = "weft_deque_collections_left"
[@@noalloc]
(** How many are to come yet; 0 when [p] has got its token, and when none are counted. *)

(** {1 The owner's context} *)

val context : 'a t -> 'b
(** The value last stored by {!set_context}, which is a root of the collector; [()] at first. The owner's. *)

val set_context : 'a t -> 'b -> unit
(** A plain store. The owner's; the deque must be {!adopt}ed. On {!nowhere} it does nothing. *)

val loops : 'a t -> 'b
(** Another such value. *)

val set_loops : 'a t -> 'b -> unit
(** Likewise. *)

(** {1 The calling thread's deque} *)

external current : unit -> 'a t = "weft_current"
[@@noalloc]
(** The deque of the calling system thread (C thread-local storage), or {!nowhere}. 0.7 ns. *)

external set_current : 'a t -> unit = "weft_set_current" [@@noalloc]

external nowhere : unit -> 'a t = "weft_nowhere"
[@@noalloc]
(** The deque of threads that are no workers. It is full ([limit = bottom = 0]) and must not be pushed to; it
    is empty; its {!id} is -1, its {!context} and {!loops} are [()] for ever. What a computation does that has
    begun in a pool and goes on there, it may do: {!slot_is} is [false], {!make_room} changes nothing. *)
