(** Counters that Linux keeps in [/proc] for a process: this one, unless [pid] is given. If there is no such
    file, the result is [None]. *)

type switches = { voluntary : int; involuntary : int }
(** Context switches. At a voluntary one the thread had to wait; at an involuntary one another thread had to
    run. *)

type threads
(** The context switches of every thread of a process at one moment. *)

val threads : ?pid:int -> unit -> threads option
(** [threads ()] reads them: one small file for each thread. *)

val switches : before:threads -> after:threads -> switches
(** [switches ~before ~after] is how often the threads that were alive at [after] switched since [before].
    Threads that have ended in between are not counted, since their files are gone. *)

val reset_peak_memory : ?pid:int -> unit -> unit
(** [reset_peak_memory ()] sets {!peak_memory} back to the present resident set, if the system allows it. *)

val peak_memory : ?pid:int -> unit -> int option
(** [peak_memory ()] is the greatest resident set of the process, in bytes, since {!reset_peak_memory}. *)

val resident_memory : ?pid:int -> unit -> int option
(** [resident_memory ()] is the resident set of the process, in bytes. *)

val cpu_seconds : pid:int -> float option
(** [cpu_seconds ~pid] is the processor time of the process so far, to a hundredth of a second. *)

val running_seconds : pid:int -> float option
(** [running_seconds ~pid] is the processor time of the threads that are alive, to the nanosecond. *)
