(** Why workers were idle: every idle moment of every worker in a stretch of time gets one cause. *)

type part = {
  time : int;  (** ns, summed over the workers *)
  moments : Intervals.t;  (** when at least one worker was idle for that cause *)
}

type stretch = {
  region : string option;  (** its name; [None] for the whole trace *)
  moments : Intervals.t;
  calls : int;  (** how often the region was entered; 1 for the whole trace *)
}

val stretches : Trace.t -> losses:Losses.t -> stretch list
(** The whole trace, then the regions that take a twentieth of it or more, at most fifty, the longest first.
    Without the moments in which events were lost. *)

type block = {
  worker : string;  (** where it ended *)
  at : string option;  (** the line of the loop's body *)
  start : int;
  duration : int;
  first : int option;  (** its first and last iteration *)
  last : int option;
  idle : int;  (** idle ns of all workers meanwhile, summed *)
  idlest : string;  (** the worker that was idle longest meanwhile *)
  alike : int;  (** how many blocks of the stretch have the same number of iterations *)
  final : bool;  (** whether no other block of the stretch ended later *)
}

type idle = {
  workers : (string * int * int) list;  (** each worker's ns in the stretch: idle, and within jobs *)
  time : int;
      (** ns of the stretch times the number of workers, as far as they were there and it is known what they
          did; the other times are parts of this *)
  all : int;  (** idle ns of all workers, but for those whose threads had no processor, as far as is known *)
  locks : part;  (** the part of [all] while a fiber waited for a lock *)
  blocks : part;  (** of the rest, while a long block of a loop ran *)
  steals : part;  (** of the rest, during searches although others had jobs *)
  blocking : part;  (** of the rest, during calls that block their thread *)
  channels : part;  (** of the rest, while a fiber waited for a channel or a condition *)
  rest : part;  (** the rest: there was no work for them *)
  beside_rest : int;  (** the time in which workers were at work in the moments of [rest], summed *)
  outside : int;
      (** ns during which no worker was in a job, and the program is not known to have waited for the world:
          it computed outside the pool *)
  worst_block : block option;  (** the block during which workers were idle most *)
  longest_alone : (int * int) option;  (** the longest time of [rest] in which only one worker was at work *)
}

val idle : Trace.t -> Workers.t array -> Circumstances.t -> stretch -> idle
(** Idleness while the program waits for the world has no cause, unless fibers wait for locks, blocks are
    long, others have jobs, or calls block. *)

val laziest : idle -> (string * int) option
(** The worker that was idle longest, and for how long. *)

val who_was_idle : ?worker:string -> stretch -> idle -> string
(** Such as ["worker 1 idle 43 % of region `sort`"]; by default of the {!laziest}. *)
