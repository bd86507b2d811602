(** Made-up traces, as text. *)

type args = (string * Yojson.Safe.t) list

(** {1 Events}

    Times are in microseconds. *)

val ms : float -> float

val event :
  string -> ?more:(string * Yojson.Safe.t) list -> tid:int -> cat:string -> string -> float -> args -> string
(** [event phase ~tid ~cat name time args]; [more] are further members. *)

val unfinished : string * Yojson.Safe.t
(** The argument of a span whose end was not read. *)

val span : ?args:args -> tid:int -> cat:string -> string -> float -> float -> string
(** [span ~tid ~cat name from until]. *)

val of_worker : int -> args -> args
(** The arguments, and who the worker is. *)

val job : ?args:args -> int -> float -> float -> string
(** [job worker from until], on the track of that number, in pool [default]; the following functions likewise.
*)

val search : int -> float -> float -> string
val park : int -> float -> float -> string
val gc : int -> string -> float -> float -> string
val steal : int -> from:int -> float -> string

val apart : ?args:args -> tid:int -> cat:string -> id:string -> string -> float -> float -> string
(** A pair of events [b] and [e]. *)

val gap : int -> lost:int -> float -> float -> string
(** [gap ring ~lost from until]: so many events of the ring were lost. *)

val block : int -> first:int -> last:int -> float -> float -> string
val counter : string -> id:string -> (string * float) list -> float -> string
val name : int -> string -> string

val names : string list
(** Of workers 0 and 1. *)

(** {1 Files} *)

val weft :
  ?version:int ->
  ?lost:int ->
  ?damaged:string ->
  ?tracer:int * int ->
  ?by:string ->
  ?last:float ->
  ?program:string ->
  ?workers:(int * int) list ->
  string list ->
  string
(** A file of [weft trace], with [--last] if [last] is given. [workers] are those that its header lists: the
    number in the process, and the one in pool [default]; [tracer] the processor time of the tracer and the
    length of the run, in ns. *)

val plain : string list -> string
(** An array of events, as other programs write it. *)

val in_file : ?name:string -> string -> (string -> 'a) -> 'a
(** [in_file text f] is [f path] for a temporary file of that content. *)

(** {1 Programs} *)

val balanced : string
(** Two workers that have work until the end. *)

val forced_chunk : string
(** Region [sort]: blocks of 1,000 iterations take 40 ms each, and worker 1 has none of the last three. *)

val long_iteration : string

val locked : string
(** Fibers on two workers wait for lock 7 most of the time. *)

val collecting : string
(** Two workers collect garbage for two thirds of the time, mostly in minor collections. *)

val sequential : string
(** Worker 1 never finds work. *)

val short_loops : string
(** Worker 0 runs 10^5 loops of 5 us, one after the other, and forks 600,000 times. Worker 1 steals a hundred
    parts of them, and has nothing to do most of the time. *)

val alone_at_last : string
(** Two workers fork 600,000 times; for the last half of the time only worker 0 has work. *)

val rounds : samples:[ `Ends | `Steps ] -> string
(** A hundred times 5 ms in which both workers have work and fork 10,000 times, and 5 ms of region
    [sequential] in which only worker 0 has work and nothing forks. The number of forks is told at the ends of
    the trace, or where each step begins and ends. *)

val outside : string
(** Both workers have retired for two thirds of the time. *)

val blocked : string

val starved : string
(** Worker 1 waits for messages. *)

val lost_start : by_number:string -> workers:(int * int) list -> string
(** Two workers at work for 100 ms. Events were lost, so for the first 40 ms one of them is known only by its
    number, 17; it stole from the other, number 18. [by_number] is the name of the argument with the number:
    ["number"], or ["worker"] in older traces. *)

val taken_away : string
(** Two workers that spend half of the time (100 ms) waiting for each other at collections. Four collections
    in ten last as long as that, and the others hardly any time. *)

val disturbed : ?processors:int -> cpu:float -> waiting:float -> string -> string
(** A trace of 100 ms whose program used so many us of processor time, and waited so many for processors; it
    might use so many processors, if the trace says so. *)

val of_two_processors : string list
(** What the machine tells of its processors for 100 ms. *)

val beside : processors:int -> string
(** Two workers that work in turn for 100 ms, on a machine of two processors, of which the hypervisor takes no
    time. The program might use so many of them, had 95 ms, and waited for 40. *)

val both_at_work : string
(** The same, with both workers at work all the time; the trace does not say how many processors the program
    may use. *)

val last : string
(** The last 100 ms of a program: worker 0 had made 1,000,000 forks before, and makes 5,000; worker 1 joins,
    and makes 70. Events were lost before, and 3 meanwhile. *)

val dump : string
(** Rings that the program itself has written to a file: worker 0 had made 1,000,000 forks before its first
    sample, and makes 80. Worker 1 is idle for 70 ms of 100. *)

val successive_pools : string
(** Two pools, one after the other, whose first workers have the same number, and make 35,538 forks each. *)

val no_workers : string
(** Two collections of 10 us in 100 us, and nothing else. *)

val crowded : string
(** Three workers on one processor, of which the hypervisor takes a fifth. *)
