(** Queues of waiters: first come, first served; whoever gives up leaves from anywhere in O(1).

    {b The rule of every queue.} An entry may have found another way meanwhile: it gave up, timed out, won
    elsewhere, or was claimed by somebody else. So a wake-up says whether it is used ({!Waiter.wake} is
    [false], a job is claimed already), and {e a wake-up that is not used goes to the next entry}, before the
    waker is done. A waiter that was woken and then cannot use it does the same: it wakes the next.
    {!Weft_sync.Queued_lock} (semaphores, conditions, locks of readers and writers), {!Weft_sync.Fiber_mutex},
    both sides of {!Weft_sync.Channel} and {!Weft_sync.Mvar}, {!Limit}, the requests of {!Blocking}, and the
    callers that wait for a pool's slot ({!External_slot}, a list of its own) keep to the rule;
    [test/model_check] has scenarios of all but the last two. It does not matter where all are woken
    (promises, {!Weft_sync.Write_once}, broadcasts), or where nobody but the owner takes anything out
    (timers).

    A doubly linked ring. Not safe by itself: use it under the lock of the structure that it belongs to. *)

type 'a t
type 'a node

val create : unit -> 'a t
val is_empty : 'a t -> bool

val node : 'a -> 'a node
(** A node that is in no queue yet. *)

val add : 'a t -> 'a node -> unit
(** Puts a node that is in no queue at the end. *)

val add_first : 'a t -> 'a node -> unit
(** Puts a node that is in no queue at the front. *)

val remove : 'a node -> unit
(** Takes a node out of its queue; does nothing if it is in none. *)

val is_queued : 'a node -> bool

val first : 'a t -> 'a node option
(** The first node, which stays. *)

val contents : 'a node -> 'a
(** What was given to {!type-node}. *)

val take : 'a t -> 'a option
(** Takes the first node out of the queue. *)

val length : 'a t -> int
(** O(n). *)

val to_list : 'a t -> 'a list
(** What is queued, in order. *)
