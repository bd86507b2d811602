(** A finding: something that a trace shows, and what to do about it. *)

type kind =
  | Balanced  (** nothing to improve *)
  | No_workers  (** no worker was seen *)
  | Too_little_parallelism
  | Too_fine_grained
      (** workers had no job although the program forks often: its loops or tasks are too short *)
  | Steals_too_dear  (** workers looked for jobs while others had some, but short ones *)
  | Long_block  (** one block of a loop, or one iteration, ran for long while other workers were idle *)
  | Large_chunk  (** the same, and the program seems to have chosen the block's size *)
  | Lock_contention
  | Channel_waits  (** workers were idle while fibers waited for channels or conditions *)
  | Blocking_calls  (** workers were idle during calls of [Weft.blocking] *)
  | Blocked_in_fiber  (** a fiber blocked its worker's thread *)
  | Outlier  (** a few calls of a region took far longer than the others *)
  | Gc_bound
  | Oversubscribed  (** more workers at work than processors *)
  | Machine_busy  (** other virtual machines or other programs used the processors *)
  | Tracer_busy  (** the tracer itself took much of the processors' time *)
  | Events_lost

val kind_name : kind -> string
(** The name of the kind, such as ["lock_contention"]. *)

type t = {
  kind : kind;
  share : float;  (** the cost, as a part of the workers' time in the stretch, 0 to 1 *)
  region : string option;  (** [None]: the whole program *)
  worker : string option;  (** the worker that was hit most *)
  place : (int * int) option;  (** the time in the trace where to look, in ns *)
  numbers : (string * Yojson.Safe.t) list;  (** the figures of the finding; [doc/profiling.md] lists them *)
  text : string;  (** one or two sentences *)
  advice : string;  (** what to do; empty if nothing *)
}

val whole : kind -> share:float -> numbers:(string * Yojson.Safe.t) list -> text:string -> advice:string -> t
(** A finding about the whole program. *)

(** {1 Figures} *)

val least_share : float
(** A cost below this part of the workers' time is not reported. *)

val ratio : int -> int -> float
(** [ratio part whole] is their quotient, or 0 if [whole] is 0. *)
