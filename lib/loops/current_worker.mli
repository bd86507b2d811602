(** Where a loop runs: in the pool of the calling fiber.

    A handler of the user may capture the fiber in a body, and continue it outside of all pools. There a loop
    seems to be alone, and goes on in turn; or it forks, in the default pool. *)

val in_pool : (unit -> 'a) -> 'a
(** [in_pool f] calls [f ()] as a task of the current pool, or of the default pool if the caller is in none.
    [f] has room on the stack for its own frames. *)

val is_outside : unit -> bool
(** Whether the caller is in no pool. *)

val worker : unit -> Worker.t
(** The calling worker. Only inside a pool. *)

val index : unit -> int
(** The number of this worker in its pool, from 0; 0 outside. *)

val workers : unit -> int
(** How many workers the current pool has; 1 outside. *)

val deque : unit -> Job.task Deque.t
(** The deque of the calling worker; outside {!Weft_platform.Deque_memory.nowhere}. *)

val is_profiled : unit -> bool
(** Whether the calling worker's time is measured ({!Weft_scheduler.Work_span}): then loops split down to
    blocks. *)

val has_no_jobs : unit -> bool
(** Whether this worker's deque is empty, so that thieves find nothing here; [false] outside. About 2 ns. *)

val has_many_jobs : workers:int -> bool
(** Whether this worker's deque has so many jobs (more than half of [workers]) that splitting can wait until
    thieves have taken them. Only inside a pool. *)

val poll : unit -> unit
(** To be called between blocks: raises if the calling fiber is cancelled. About 1 ns. *)

val poll_anywhere : unit -> unit
(** The same for functions that are also called outside of pools, where it does nothing. Every function that
    takes longer than O(1) or calls a function of the user's polls at least once: if only long loops did, a
    loop of short ones would never give way, nor be cancelled. *)
