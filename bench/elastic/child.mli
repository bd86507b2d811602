(** Runs in separate processes, since idle domains of one run would disturb the next one. A child process is
    the program [weft] itself, started with arguments that are not for users.

    Each child ends by itself when its time is over, even if the starter has ended. *)

open Weft_bench_harness

val main : string array -> unit
(** [main argv] carries out the request and ends the process if [argv] is a request made by {!measure},
    {!repeat}, {!spin} or {!join}; else it returns. *)

type run = { sample : Meter.sample; figures : Figure.t list }

val measure : ?group:string -> limit:float -> Plan.config -> string list
(** [measure config] are the arguments for one run of [config], a program of {!Case.all}, in the control group
    [group] if given. The child prints what {!parse} reads. *)

val parse : string -> (run, string) result
(** [parse output] is the result of the run. [Error] says why there is none. *)

val repeat : limit:float -> Plan.config -> string list
(** [repeat config] are the arguments for computing [config] again and again in one pool. The child prints a
    line when it begins. *)

val spin : limit:float -> string list
(** [spin] are the arguments for keeping a processor busy. The child prints a line when it begins. *)

val join : string -> string list
(** [join group] are the arguments for only entering a control group. The exit code is not 0 if the system
    does not allow that. *)
