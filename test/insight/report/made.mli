(** Made-up traces, as text. *)

type args = (string * Yojson.Safe.t) list

(** {1 Events}

    Times are in microseconds. *)

val span : ?args:args -> tid:int -> cat:string -> string -> float -> float -> string
(** [span ~tid ~cat name from until]. *)

val job : ?args:args -> int -> float -> float -> string
(** [job worker from until], on the track of that number, in pool [default]; likewise what follows. *)

val search : int -> float -> float -> string
val park : int -> float -> float -> string
val gc : int -> string -> float -> float -> string
val steal : int -> from:int -> float -> string

val apart : ?args:args -> tid:int -> cat:string -> id:string -> string -> float -> float -> string
(** A pair of [b] and [e]. *)

val block : int -> first:int -> last:int -> float -> float -> string
val counter : string -> id:string -> (string * float) list -> float -> string
val name : int -> string -> string

(** {1 Files} *)

val weft :
  ?version:int ->
  ?lost:int ->
  ?last:float ->
  ?program:string ->
  ?workers:(int * int) list ->
  string list ->
  string
(** A file of [weft trace], with [--last] if [last] is given. [workers] are those that its header tells of:
    the number in the process, and the one in pool [default]. *)

val plain : string list -> string
(** An array of events, as other programs write it. *)

val in_file : ?name:string -> string -> (string -> 'a) -> 'a
(** [in_file text f] is [f path] for a temporary file of that content. *)

(** {1 Programs} *)

val balanced : string
(** Two workers with work until the end. *)

val forced_chunk : string
(** Region [sort]: blocks of 1,000 iterations of 40 ms, and worker 1 has none of the last three. *)

val long_iteration : string

val locked : string
(** Fibers on two workers that wait for lock 7 most of the time. *)

val collecting : string
(** Two workers that collect for two thirds of the time, most of it minor collections. *)

val sequential : string
(** Worker 1 never finds anything. *)

val outside : string
(** Both workers have left for two thirds of the time. *)

val blocked : string

val starved : string
(** Worker 1 waits for messages. *)

val lost_start : by_number:string -> workers:(int * int) list -> string
(** Two workers at work for 100 ms, of which one was known only by its number, 17, for the first 40 ms, since
    events had been lost; it stole from the other, number 18. [by_number] is the argument that has the number:
    ["number"], or ["worker"] in older traces. *)

val taken_away : string
(** Two workers that spend half of the time (100 ms) waiting for each other at collections, of which four in
    ten last as long as that, and the others next to nothing. *)

val disturbed : ?processors:int -> cpu:float -> waiting:float -> string -> string
(** A trace of 100 ms whose program had so many us of processor time, and waited for processors so many; it
    might use so many processors, if the trace says so. *)

val beside : processors:int -> string
(** Two workers that work for 100 ms, turn and turn about, on a machine of two processors that the hypervisor
    leaves alone. The program might use so many of them, had 95 ms, and waited for 40. *)

val both_at_work : string
(** Likewise, with both workers at work all the time; nothing is said of the program's processors. *)

val last : string
(** The last 100 ms of a program: worker 0 had made 1,000,000 forks before, and makes 5,000; worker 1 comes,
    and makes 70. Events were lost before, and 3 meanwhile. *)

val no_workers : string
(** Two collections of 10 us in 100, and nothing else. *)

val crowded : string
(** Three workers on one processor, of which the hypervisor takes a fifth. *)

val large : int -> out_channel -> unit
(** A trace of about so many events, on four workers. *)
