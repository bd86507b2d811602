(** The processor time of another process, the time in which it waited for a processor, and how many
    processors it may use, as Linux reports them.

    The figures of each thread ([/proc/PID/task/TID/schedstat]) are summed; a thread that has ended counts
    with the figures that were read last. If the system does not report them, there are none. *)

type t

type sum = {
  cpu : int;  (** ns in which a thread ran *)
  waiting : int;  (** ns in which a thread could have run, but others had the processors *)
}

type told = {
  sum : sum;  (** the times of the threads since they were started *)
  processors : int option;
      (** the processors that its first thread may use now (or could use before it ended), by affinity, not by
          quotas *)
}

val create : ?root:string -> pid:int -> unit -> t
(** Reads nothing yet. Files are read below [root] (default ["/"]). *)

val read : t -> told option
(** The times now; [None] if the system does not report them, or the process has ended. Takes some ten
    microseconds for each thread, and some twenty more. Never raises. *)
