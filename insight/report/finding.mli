(** Something that a trace shows, and what to do about it. *)

type kind =
  | Balanced  (** nothing to mend *)
  | No_workers  (** no worker was seen *)
  | Too_little_parallelism
  | Long_block  (** one block of a loop, or one iteration, was long while others waited *)
  | Large_chunk  (** likewise, and its size looks forced *)
  | Lock_contention
  | Channel_waits  (** workers idle while fibers waited for channels or conditions *)
  | Blocking_calls
  | Gc_bound
  | Oversubscribed  (** more workers at work than processors *)
  | Machine_busy  (** other machines or other programs had the processors *)
  | Events_lost

val kind_name : kind -> string
(** Such as ["lock_contention"]. *)

type t = {
  kind : kind;
  share : float;  (** what it costs: a part of the workers' time in the stretch, 0 to 1 *)
  region : string option;  (** [None]: the whole program *)
  worker : string option;  (** whom it hit most *)
  place : (int * int) option;  (** where to look in the trace: ns *)
  numbers : (string * Yojson.Safe.t) list;  (** facts; [doc/profiling.md] lists them *)
  text : string;  (** one or two sentences *)
  advice : string;  (** what to do; empty if nothing *)
}

val whole : kind -> share:float -> numbers:(string * Yojson.Safe.t) list -> text:string -> advice:string -> t
(** Of the whole program. *)

(** {1 Figures} *)

val least_share : float
(** What costs less than this part of the workers' time is not worth a word. *)

val ratio : int -> int -> float
(** [ratio part whole] is 0 where there is no whole. *)

val plural : int -> string -> string -> string
(** [plural n one many] is such as ["1 event"], ["2,000 events"]. *)
