(** Whose fault it is that workers were idle: every idle moment of every worker in a stretch of time gets one
    cause. *)

type stretch = {
  region : string option;  (** its name; [None]: the whole trace *)
  moments : Intervals.t;
  calls : int;  (** how often the region was entered; 1 for the whole *)
}

val stretches : Trace.t -> stretch list
(** The whole trace, then the regions that take a twentieth of it or more, at most fifty, the longest first.
*)

type block = {
  worker : string;  (** where it ended *)
  start : int;
  duration : int;
  first : int option;  (** iterations *)
  last : int option;
  idle : int;  (** ns of all workers that were idle meanwhile *)
  alike : int;  (** how many blocks of the stretch have as many iterations as it *)
  final : bool;  (** no other block of the stretch ended later *)
}

type idle = {
  workers : (string * int * int) list;  (** each one's time in the stretch: idle, and within jobs *)
  time : int;  (** ns of the stretch, times the number of workers: what all the rest is to be compared with *)
  all : int;  (** ns of idleness of all workers *)
  locks : int;  (** of that, while a fiber waited for a lock *)
  blocks : int;  (** else, while a long block of a loop ran *)
  blocking : int;  (** else, during calls that block their thread *)
  channels : int;  (** else, while a fiber waited for a channel or a condition *)
  rest : int;  (** else: nobody had made work for them *)
  nobody : int;  (** ns during which no worker at all was in a job: the program was outside the pool *)
  worst_block : block option;  (** the one that most idleness goes with *)
  longest_alone : (int * int) option;  (** the longest time in which but one worker was at work, of [rest] *)
}

val at_work : Workers.state -> bool
(** In a job, or in a collection. *)

val idle : Trace.t -> Workers.t array -> waits:Activity.waits list -> stretch -> idle
