(** [Weft_platform.Timer_thread] on cells. The clock stands still at {!time}, except for threads that wait for
    some time ({!Process.pass}), and its thread is a process that {!look}s. *)

type t

val time : int
val now : unit -> int
val never : int
val start : unit -> unit
val create : unit -> t

val watch : t -> deque:'a Deque_memory.t -> parker:Parker.t -> unit
(** The alarm here calls nobody. *)

val set : t -> int -> unit
val is_due : t -> bool
val take_due : t -> bool

(** {1 For scenarios} *)

val look : t -> unit
(** What the thread does when it looks at the alarm. In the real program it holds a lock meanwhile, which
    keeps out those that would set the alarm; here they may come between its steps, too. *)

val armed : t -> int
(** The time to which it is set. *)
