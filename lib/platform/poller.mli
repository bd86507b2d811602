(** Readiness of descriptors: one thread of the process waits for all of them, in [poll].

    Like {!Timer_thread} it is a plain C thread: it is no domain, never enters OCaml's runtime, delays no
    collection, and takes no signals. It is started by the first wait; while it has nothing to wait for it
    sleeps, and after 0.1 s it ends and gives its two descriptors (a pipe) back.

    {b A wait} is added with the alarm of the pool that wants to know. When the descriptor is ready, the
    thread lists the wait as ready, and then makes the alarm go off ({!Timer_thread}). So a worker of that
    pool looks at the alarm; it must then {!take_ready} until there is none. Any worker of any pool may take
    any wait. A wait is over when it is taken or {!remove}d. It may be ready for nothing: look again.

    {b Rounds.} The thread copies the waits, calls [poll] without the lock, and lists what is ready. Whoever
    adds or removes a wait meanwhile writes into the pipe, once in a round, so that the next round begins. A
    round, and {!end_waits}, cost O(n) for the most waits there have ever been at once: room for waits is not
    given back.

    {b Closing.} While the thread is in [poll], the system keeps the files open that it looks at, though their
    descriptors be closed: the peer of a connection would not learn of the end. {!end_waits} returns when the
    thread has left that round.

    {b Forks.} In the child of a fork there is no such thread; all waits of the child become ready, so those
    who waited look, and wait anew, in a thread of the child's. *)

type wait = int
(** Positive or 0. Never used again, but for an overflow after a billion waits in the same place. *)

val add : Unix.file_descr -> writes:bool -> alarm:Timer_thread.t -> wait
(** Waits until [fd] can be read, or written, has an error or has lost its peer.
    @raise Unix.Unix_error [EBADF] if [fd] is negative; or if there is no thread or no memory to be had. *)

val add_child : int -> alarm:Timer_thread.t -> wait
(** Waits until the child process with this number has ended (or is no child); it is not reaped. A C thread
    waits for this child alone, for all its waits, and ends with it: for systems without
    {!Descriptor.of_process}.
    @raise Unix.Unix_error likewise. *)

val remove : wait -> unit
(** Nobody wants to know any more. Harmless if the wait is over. *)

type taken = Nothing | Ready of wait | Closed of wait  (** its descriptor is not open, or {!end_waits} *)

val take_ready : unit -> taken
(** One load if there is none. *)

val end_waits : Unix.file_descr -> unit
(** All waits for [fd] become [Closed], also those that are ready and not taken. Returns when the thread does
    not look at [fd] any more: releases the runtime lock, if it must wait for that. To be called before [fd]
    is closed. *)

(** {1 For tests} *)

val runs : unit -> bool
(** Whether the thread is there. *)

val waits : unit -> int
(** How many waits are neither ready nor over. *)
