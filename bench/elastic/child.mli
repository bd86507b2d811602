(** What runs in processes of its own, since domains that idle, once made, would disturb whatever comes next:
    the program [weft] started again, with arguments that are not for users.

    What is started here ends by itself when its time is over, whatever has become of the starter. *)

open Weft_bench_harness

val main : string array -> unit
(** [main argv] does what {!measure}, {!repeat}, {!spin} or {!join} ask for and ends the process, if [argv] is
    such a request; else it returns. *)

type run = { sample : Meter.sample; figures : Figure.t list }

val measure : ?group:string -> limit:float -> Plan.config -> string list
(** [measure config] are the arguments for one run of [config], one of {!Programs}, {!Loads} and the suites,
    in the control group [group] if given. It prints what {!parse} reads. *)

val parse : string -> (run, string) result
(** [parse output] is what the run came to. [Error] says what was wrong with it. *)

val repeat : limit:float -> Plan.config -> string list
(** [repeat config] are those for computing it again and again, in one pool; prints a line when it begins. *)

val spin : limit:float -> string list
(** [spin] are those for keeping a processor busy; prints a line when it begins. *)

val join : string -> string list
(** [join group] are those for entering a group and nothing else: the exit code is not 0 if it is not allowed.
*)
