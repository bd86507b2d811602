(** What a traced program writes into its rings: user events of OCaml's [Runtime_events].

    Frequent events carry one integer of 30 bits (OCaml passes on 32); the others are {!note}s, which carry a
    kind, up to six integers and one or two texts. Whoever reads the rings registers the same events by using
    this module: names that it does not know are those of another version.

    A fiber is its number ({!Weft_scheduler.Fiber_id}), a place that of a function
    ({!Weft_platform.Closure.place}); 0 is none. *)

val prefix : string
(** Of all names: ["weft/2 "]. *)

(** {1 Frequent events} *)

type origin = Own | Injector | Background | Stolen of int  (** from the worker with this number *)

type move =
  | Runs of { origin : origin; resumed : bool }
  | Searches
  | Parks
  | Unparked
      (** A worker begins to do something else. What it did before ends, and if that was {!Runs}, that was so
          many jobs. *)

type step = { worker : int; jobs : int; at_hand : int; move : move }
(** [at_hand], of {!Searches}: the jobs that other workers had when the search began, about; 4,095 may be
    more. *)

val most_jobs : int
(** That a step can tell of. *)

val most_workers : int
(** Workers with numbers from here on are not told apart. *)

val write_run : worker:int -> jobs:int -> from:int -> resumed:bool -> unit
(** [from] as in {!Weft_scheduler.Trace_hooks}. *)

val write_search : worker:int -> jobs:int -> at_hand:int -> unit
val write_park : worker:int -> jobs:int -> unit
val write_unparked : worker:int -> jobs:int -> unit
val write_wake : unit -> unit

type span = Wait | Call | Region

val ids : int
(** A span's number is below this. *)

val write_end : span -> int -> unit

(** {1 Notes} *)

type note =
  | Joined of { worker : int; index : int; forks : int; pool : string; returned : bool }
  | Seen of { worker : int; index : int; forks : int; pool : string }
  | Left of { worker : int; index : int; forks : int; pool : string; retired : bool; jobs : int }
  | Fiber of { fiber : int; parent : int; place : int; name : string }
      (** who that fiber is; told again now and then *)
  | Wait_begins of { id : int; about : int; fiber : int; place : int; what : string; name : string }
      (** [name], [place]: see {!Weft_scheduler.Trace_hooks.about} *)
  | Woken of { wait : int; by : int }
      (** the fiber [by], or nobody, has ended that wait; its end, when the fiber goes on, comes later *)
  | Call_begins of { id : int }
  | Region_begins of { id : int; fiber : int; name : string }
  | Instant of string
  | Block of { first : int; last : int; began : int; ended : int; alone : bool; fiber : int; place : int }
  | Batch of { structure : int; size : int; parallel : bool; nanoseconds : int }
  | Cancelled of string
  | Stood of { worker : int; blocked : int; waited : int; passed : int; fiber : int }
      (** within the last [passed] ns the worker's thread, which ran [fiber] last, was blocked in the system,
          and waited for a processor, for so long: {!Blocked_time} *)
  | Dumped of { pid : int; at : int; program : string }
      (** the rings are about to be copied ({!Ring_file}), [at] us after the beginning of 1970; [program]: the
          path of the executable file *)
  | Unknown  (** or damaged *)

val longest_text : int
(** What is longer is cut. *)

val write_note : note -> unit

(** {1 Reading} *)

val listen :
  step:(int -> int64 -> step -> unit) ->
  wake:(int -> int64 -> unit) ->
  ended:(int -> int64 -> span -> int -> unit) ->
  note:(int -> int64 -> note -> unit) ->
  foreign:(string -> unit) ->
  Runtime_events.Callbacks.t ->
  Runtime_events.Callbacks.t
(** The callbacks with these added: they get the ring, the time in ns, and what was written. [foreign] is told
    of the names of user events that are not Weft's, or another version's. *)

(** {1 For tests} *)

val int_of_search : worker:int -> jobs:int -> at_hand:int -> int
val step_of_int : int -> step
val encode : bytes -> note -> int
val decode : bytes -> int -> note
