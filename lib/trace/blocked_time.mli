(** For how long a worker's thread did not run although its worker had a job: because it was blocked in the
    system, which is what a blocking call does to a worker, and what a fiber must not do; or because others
    had the processors.

    It is measured from one {!look} to the next. The kernel counts the thread's processor time, and the time
    in which it could have run but had no processor; in the rest of the time that has passed, it was blocked.
    Time for which a hypervisor takes the processor away looks the same: so the rest counts only if the thread
    has given its processor up by itself.

    Only Linux has these counts. Elsewhere, and where they are hidden, no look is ever due. *)

type t
(** The clocks of one worker. The functions are called by the worker's own thread, except where another is
    allowed. *)

val create : unit -> t

val window : int
(** Two looks that read the kernel's clocks are at least so many nanoseconds, or a few times as many, apart.
*)

val begin_ : t -> unit
(** The calling thread is the worker from now on. About 10 us. *)

val begin_once : t -> unit
(** Like {!begin_}, unless the worker's thread has called that since the last {!forget}. *)

val end_ : t -> unit
(** The calling thread is no longer the worker. Closes the descriptor of its clock. *)

val forget : t -> unit
(** Drops what has been measured so far: no look is due until {!begin_}. From any thread. *)

val is_due : t -> bool
(** Whether a {!look} would read the kernel's clocks. About 10 ns. *)

val look : t -> bool
(** [look t] reads the clocks if a look is due, and returns whether it did. Then the next three functions are
    about the time since the last look that was due. About 10 ns; 2 us if it is due. Allocates nothing. *)

val blocked : t -> int
(** Nanoseconds for which the thread was blocked in the system; 0 if that is less than 1 ms. *)

val waited : t -> int
(** Nanoseconds for which the thread waited for a processor; 0 if that is less than 1 ms. *)

val passed : t -> int
(** Nanoseconds between the two looks. *)
