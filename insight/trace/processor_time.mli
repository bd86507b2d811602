(** What a process got of the processors, and what it would have liked: from outside, as Linux tells it.

    The figures of each thread ([/proc/PID/task/TID/schedstat]) are added up; a thread that has ended counts
    with what was read last. Where the system does not tell, there are none. *)

type t

type sum = {
  cpu : int;  (** ns in which a thread ran *)
  waiting : int;  (** ns in which a thread could have run, but others had the processors *)
}

val create : ?root:string -> pid:int -> unit -> t
(** Nothing is read yet. Files are looked for below [root] (default ["/"]). *)

val read : t -> sum option
(** What the threads have had since they were started. Some ten microseconds per thread. Never raises. *)
