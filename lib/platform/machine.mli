(** What this process may use of the machine it runs on.

    Everything is read from the files in which Linux tells it ([/proc], [/sys], the control groups). A file
    that is missing, unreadable, cut short or full of something else makes its fact [None]: no function here
    raises, and none of the checks on content trusts what it reads. On other systems than Linux all these
    facts are [None].

    [root] (default ["/"]) is the directory below which the files are looked for. Each call reads its files
    anew, which takes some tens of microseconds; {!cpu_quota} takes a hundred, and {!processor_model} and
    {!virtual_machine} read [/proc/cpuinfo], which takes milliseconds on a machine with many processors.
    {!processors_now} alone remembers something between its calls. *)

(** {1 Processors} *)

val processors_online : ?root:string -> unit -> int option
(** The processors that run, whether or not this process may use them. *)

val processors_allowed : ?root:string -> ?pid:int -> unit -> int option
(** The processors in the affinity mask of the process [pid] (of its first thread; default: this process):
    those that [taskset], a batch system or a control group's [cpuset] has left it. *)

type quota = Control_groups.quota = {
  processors : float;  (** CPU time per time, above 0: 1.5 is one and a half processors *)
  file : string;  (** the file that says so, without [root] *)
}
(** A limit on the CPU time of a control group. *)

val handles_signals : unit -> bool
(** Whether this process has installed a handler for a signal that others send: not for those that a thread
    raises by its own fault. *)

val cpu_quota : ?root:string -> unit -> quota option
(** The smallest CPU quota among the control groups of this process and all their ancestors that can be seen,
    of both versions of control groups ([cpu.max]; [cpu.cfs_quota_us] by [cpu.cfs_period_us]). Of equal
    quotas, the one nearest to the process. [None] if there is none. *)

type limits = Control_groups.limits = {
  memory : int option;  (** bytes: [memory.max]; [memory.limit_in_bytes] *)
  threads : int option;  (** [pids.max] *)
}
(** The smallest limits among the control groups of this process and all their ancestors that can be seen, of
    both versions. *)

val limits : ?root:string -> unit -> limits
(** This machine's are read once: some hundred microseconds. With [root], they are read anew. *)

val processor_model : ?root:string -> unit -> string option
(** The name that the first processor gives itself. *)

(** {1 System} *)

val kernel_release : ?root:string -> unit -> string option
(** The release of the kernel, as [uname -r] prints it. *)

val virtual_machine : ?root:string -> unit -> bool option
(** Whether the processor says that a hypervisor runs it. [None] where processors do not tell. *)

type load = { one : float; five : float; fifteen : float }
(** Averages over so many minutes of the number of threads of the whole machine that run or would like to. *)

val load_average : ?root:string -> unit -> load option
(** The load average. *)

type cpu_time = {
  total : int;  (** time of all processors since the start of the system, in ticks *)
  steal : int;  (** the part of it in which a processor had work but the hypervisor ran something else *)
}
(** What the processors' time went to. Only differences between two readings mean anything. *)

val cpu_time : ?root:string -> unit -> cpu_time option
(** The processors' time so far. *)

val stolen_share : before:cpu_time -> after:cpu_time -> float option
(** [stolen_share ~before ~after] is the part, from 0 to 1, of the time between two readings that was stolen.
    [None] if no tick passed between them, or if the counters went backwards. *)

(** {1 Number of domains} *)

(** What sets the default number of domains. *)
type limit =
  | Allowed  (** {!processors_allowed} *)
  | Quota of quota  (** {!cpu_quota}, rounded up *)
  | Recommended  (** [Domain.recommended_domain_count ()] *)

val default_limit : ?root:string -> ?recommended:int -> unit -> int * limit
(** The least of the three limits, at least 1, and which one it is (the first of equal ones). [recommended] is
    [Domain.recommended_domain_count ()] unless given. *)

val default_domains : ?root:string -> ?recommended:int -> unit -> int
(** The number of {!default_limit}: how many domains a pool has if nobody says. *)

(** {1 Processors now} *)

type processors = {
  count : int;
      (** whole processors, at least 1: the affinity mask or the quota rounded up, if that is less *)
  share : float;  (** CPU time per time: the quota if it is below the affinity mask, else [count] *)
}
(** How much of the machine the process may use. *)

val allowed_processors : ?root:string -> unit -> processors
(** How many processors the affinity mask allows, without regard to quotas. *)

val processors_now : ?root:string -> unit -> processors
(** What the machine lets this process use at this moment, to be asked again and again: some 50 us with groups
    three levels deep. From any thread.

    The quota is that of {!cpu_quota}, without looking for its files each time ([Control_groups.look]). The
    processors are those that any thread of the process may run on: one that is bound to a processor of its
    own does not bind the others, and processors that have been switched off do not count. (Below another
    [root], or where the system does not tell, {!processors_allowed}.)

    What cannot be found out now is as the last call had it, and at first as if there were no such limit. *)

(** {1 The environment} *)

val max_domains : int
(** 128, the largest number of domains that [WEFT_DOMAINS] may ask for. *)

val count_from_env : variable:string -> most:int -> string option -> (int option, string) result
(** [count_from_env ~variable ~most (Sys.getenv_opt variable)] is the number that the environment asks for:
    [Ok None] if the variable is not set or empty, [Error line] if it is not a decimal number from 1 to [most]
    (blanks around it do not matter), where [line] says so, without a newline. *)

val domains_from_env : string option -> (int option, string) result
(** {!count_from_env} of [WEFT_DOMAINS], up to {!max_domains}. *)

val processors_from_env : string option -> (int option, string) result
(** {!count_from_env} of [WEFT_PROCESSORS], up to 1024: how many workers of a pool may be at work at once,
    instead of {!processors_now}. *)
