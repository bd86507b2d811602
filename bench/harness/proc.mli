(** Counters that Linux keeps of this process in [/proc]. Where there is no such file, the answer is [None].
*)

type switches = { voluntary : int; involuntary : int }
(** Context switches: given up (the thread had to wait) and taken away (another one had to run). *)

type threads
(** The context switches of every thread of this process at one moment. *)

val threads : unit -> threads option
(** [threads ()] reads them: one small file a thread. *)

val switches : before:threads -> after:threads -> switches
(** [switches ~before ~after] is what the threads alive at [after] did since [before]. The last switches of
    threads that have ended in between are not counted: their files are gone with them. *)

val reset_peak_memory : unit -> unit
(** [reset_peak_memory ()] sets {!peak_memory} back to the present resident set, if the system lets it. *)

val peak_memory : unit -> int option
(** [peak_memory ()] is the greatest resident set of this process, in bytes, since {!reset_peak_memory}. *)
