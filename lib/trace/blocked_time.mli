(** For how long a worker's thread did not run although its worker had a job: because it was blocked in the
    system, which is what a blocking call does to a worker, and what a fiber must not do; or because others
    had the processors.

    It is measured from one look to the next. The kernel counts the thread's processor time, and the time in
    which it could have run but had no processor; what is left of the time that has passed, it was blocked. A
    hypervisor that takes a processor away looks the same; so it counts only if the thread has given its
    processor up by itself.

    Known on Linux. Elsewhere, and where that is hidden, no look says anything. *)

type t
(** Of one worker. Everything is called by the worker's own thread. *)

val create : unit -> t

val window : int
(** Two looks that read the kernel's clocks are at least so many nanoseconds, or a few times as many, apart.
*)

val begin_ : t -> unit
(** The calling thread is the worker from now on. About 10 us. *)

val begin_once : t -> unit
(** Likewise, unless the worker's thread has said so since the last {!forget}. *)

val end_ : t -> unit
(** It is no longer: gives the descriptor of its clock back. *)

val forget : t -> unit
(** What has happened so far was not seen: nothing is said until {!begin_}. From any thread. *)

val is_due : t -> bool
(** Whether a {!look} would read the kernel's clocks. About 10 ns. *)

val look : t -> bool
(** Whether this look is due, and the system tells: then the next three are of the time since the last look
    that was. About 10 ns; 2 us if it is due. Allocates nothing. *)

val blocked : t -> int
(** ns for which the thread was blocked in the system; 0 if that is less than 1 ms. *)

val waited : t -> int
(** ns for which it waited for a processor; 0 if that is less than 1 ms. *)

val passed : t -> int
(** ns between the two looks. *)
