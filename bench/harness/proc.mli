(** Counters that Linux keeps of a process in [/proc]: of this one, unless [pid] says otherwise. Where there
    is no such file, the answer is [None]. *)

type switches = { voluntary : int; involuntary : int }
(** Context switches: given up (the thread had to wait) and taken away (another one had to run). *)

type threads
(** The context switches of every thread of a process at one moment. *)

val threads : ?pid:int -> unit -> threads option
(** [threads ()] reads them: one small file a thread. *)

val switches : before:threads -> after:threads -> switches
(** [switches ~before ~after] is what the threads alive at [after] did since [before]. The last switches of
    threads that have ended in between are not counted: their files are gone with them. *)

val reset_peak_memory : ?pid:int -> unit -> unit
(** [reset_peak_memory ()] sets {!peak_memory} back to the present resident set, if the system lets it. *)

val peak_memory : ?pid:int -> unit -> int option
(** [peak_memory ()] is the greatest resident set of the process, in bytes, since {!reset_peak_memory}. *)

val resident_memory : ?pid:int -> unit -> int option
(** [resident_memory ()] is the resident set of the process, in bytes. *)

val cpu_seconds : pid:int -> float option
(** [cpu_seconds ~pid] is the processor time of the process so far, to a hundredth of a second. *)

val running_seconds : pid:int -> float option
(** [running_seconds ~pid] is the same for the threads that are alive, to the nanosecond. *)
