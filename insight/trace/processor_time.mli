(** What a process got of the processors, what it would have liked, and how many it may use: from outside, as
    Linux tells it.

    The figures of each thread ([/proc/PID/task/TID/schedstat]) are added up; a thread that has ended counts
    with what was read last. Where the system does not tell, there are none. *)

type t

type sum = {
  cpu : int;  (** ns in which a thread ran *)
  waiting : int;  (** ns in which a thread could have run, but others had the processors *)
}

type told = {
  sum : sum;  (** what the threads have had since they were started *)
  processors : int option;
      (** that its first thread may use now (or might, if it has ended): by affinity, not by quotas *)
}

val create : ?root:string -> pid:int -> unit -> t
(** Nothing is read yet. Files are looked for below [root] (default ["/"]). *)

val read : t -> told option
(** [None] also once the process has gone. Some ten microseconds per thread, and some twenty. Never raises. *)
