(** A work-stealing deque whose owner issues no memory barrier.

    One owner pushes and pops at the bottom; any number of thieves steal at the top. Elements are numbered by
    the order of their place: those in the deque are the indices from [top] (included) to [bottom] (excluded).
    [top] only grows, so an index stolen once is never in the deque again. The element of index [i] lies in
    slot [i mod capacity] of a ring, which doubles when it is full. This is the deque of Chase and Lev
    ({e Dynamic Circular Work-Stealing Deque}, SPAA 2005) with the memory ordering changed as follows.

    {b Who does what.}
    - push (owner): write the slot, then [bottom := b + 1].
    - pop (owner): [bottom := b] where [b = bottom - 1]; then read [top]. If [top < b], the element [b] is the
      owner's: every thief that has not yet read [bottom] will see it gone. If [top = b], it is the last one:
      owner and thieves decide by a compare-and-set of [top], and [bottom] goes back to [b + 1]. If [top > b],
      it was stolen; [bottom] goes back.
    - steal (thief): read [top], then [bottom]; if there seems to be an element, issue the {e heavy} barrier,
      read [bottom] again, read the slot of index [top], and take it by a compare-and-set of [top].

    {b Why no barrier for the owner.} Pop writes [bottom] and then reads [top]; steal reads [top] and then
    [bottom]. If the owner's write could wait in its store buffer while it reads an old [top], and the thief
    read the old [bottom], both would take element [b]. One of the two must put a full barrier between its
    accesses {e for both of them}. The thief does: [membarrier] makes the owner's processor pass a barrier at
    some moment between the thief's reads of [top] and of [bottom]. If the owner's write of [bottom] came
    before that moment, the thief sees it; if after, the owner's read of [top] comes later still, and sees a
    [top] at least as new as the thief's: then the compare-and-set or the comparison of indices decides. In
    mode [Owner] (see {!Weft_platform.Membarrier}) each side has its own barrier.

    {b Weak memory models.} Mode [Thief] is for processors that keep the order of a thread's stores (x86). A
    processor that reorders them may show the new [bottom] before the slot; and reading [bottom] before and
    after the barrier, and using the smaller, does not help when an index is used again: the owner pops
    element [b], a thief reads the old [bottom] and issues its barrier, and the owner pushes at [b] again
    ([models/deque.pml], configuration [WEAK]). Mode [Owner] has a barrier at each place that needs one, also
    between a thief's reads.

    {b Growth.} The owner copies the elements to a new ring and then stores one pointer to it; the mask lies
    in the ring, so a thief pairs each ring with its own mask. A thief that has read the old ring finds in it
    all elements that were there when it was replaced, and none of their slots is written again.

    {b Garbage.} See {!Weft_platform.Deque_memory}: an element that has left the deque is not kept alive by
    it.

    [models/deque.pml] checks this page by exhausting its states; [test/model_check] model-checks these very
    functions. *)

type 'a t = 'a Deque_memory.t

val create : id:int -> wake:Deque_memory.word -> 'a t
(** An empty deque of 256 slots. [id] and [wake] are stored for the scheduler. *)

(** {1 The owner's side}

    By the thread that {!Weft_platform.Deque_memory.adopt}ed the deque, alone. *)

val is_full : 'a t -> bool
(** Whether {!make_room} must come before the next push: the ring may be full, or preemption is requested. *)

val make_room : 'a t -> unit
(** Makes room for at least the next push. Unless preemption is requested, makes room for more, and the deque
    is not full afterwards. Amortised O(1).
    @raise Out_of_memory with the deque unchanged. *)

val push : 'a t -> 'a -> unit
(** [push d x] puts [x] at the bottom. There must be room: [d] was not full, or room was made, and no
    safepoint came since. No barrier in mode [Thief], where thieves may see it a little later than its owner
    makes the reads that follow it ({!size}, {!is_preempt_requested}); in mode [Owner], a full barrier after
    the push, so that a read that follows (of the sleepers' word) is ordered behind it. *)

val push_deferred : 'a t -> 'a -> unit
(** [push], onto an empty deque, of what the owner will probably pop within a microsecond or two: a steal of
    it would cost more than that, so thieves are to put it off ({!is_deferred}). A hint; nothing else differs.
    Go's scheduler spares in this way what a processor is to run next ([runqgrab] in its [proc.go]). *)

val is_deferred : 'a t -> bool
(** Whether the top element was pushed by {!push_deferred}. Any thread's. As the deque was empty then, nobody
    takes that element without moving [top] on: so while the answer is [true], and [top] the same, it is one
    and the same push. *)

val pop_if : 'a t -> 'a -> bool
(** [pop_if d x] takes [x] from the bottom if [x] (physically) is the bottom element; else it changes nothing
    and is [false]. No barrier in mode [Thief], except for the last element. *)

val pop : 'a t -> nil:'a -> 'a
(** [pop d ~nil] takes the bottom element, or is [nil] if there is none. *)

val take_eldest : 'a t -> nil:'a -> 'a
(** [take_eldest d ~nil] takes the top element, as a thief does but without the heavy barrier; [nil] if there
    is none or a thief was faster. *)

val peek : 'a t -> nil:'a -> 'a
(** [peek d ~nil] is the bottom element, which stays, or [nil] if there is none. A thief may take it at any
    time. *)

val exists : 'a t -> ('a -> bool) -> bool
(** [exists d f] is whether [f x] holds for an element [x], from the top down to the bottom. Thieves may take
    elements meanwhile. *)

(** {2 Preemption}

    While preemption is requested, {!is_full} is true, whatever is in the deque: so the owner's next push
    takes its slow path, and looks there at what is wanted. For the fast path this costs nothing. Everything
    else works as usual: elements stay where they are, owner and thieves take them, and the owner can push
    after {!make_room}. *)

val is_preempt_requested : 'a t -> bool
(** Whether preemption of [d] is requested, or {!make_room} has not come since it was acknowledged; true for
    {!Weft_platform.Deque_memory.nowhere}. One load. *)

val acknowledge : 'a t -> bool
(** [acknowledge d] is whether preemption was requested; from now on it no longer is. What the requester wrote
    before is visible. The next {!make_room} makes [d] usual again, unless there is another request. *)

(** {1 Any thread's side} *)

val steal : 'a t -> nil:'a -> 'a
(** [steal d ~nil] takes the top element, or is [nil] if there is none or another thread was faster.
    Lock-free: it fails only if another steal or pop succeeded. An empty deque costs two reads, any other the
    heavy barrier. *)

val ask : 'a t -> by:'a t -> nil:'a -> 'a
(** [ask d ~by ~nil] asks the owner for the top element: see {!Weft_platform.Deque_memory.ask}. It is [nil] if
    there is none or the owner does not answer, and then {!steal} decides. By the owner of [by]. An answer
    mostly takes less than a microsecond, and costs the owner less than a heavy barrier does. *)

val size : 'a t -> int
(** The number of elements at some moment during the call; exact for the owner while nobody steals. *)

val is_empty : 'a t -> bool
(** [is_empty d] is [size d = 0]. About 1 ns. *)

val request_preempt : 'a t -> unit
(** [request_preempt d] makes the owner look up: see {!is_preempt_requested}. Several requests before it is
    acknowledged are one. *)
