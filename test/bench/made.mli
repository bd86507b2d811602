(** Made-up results. *)

open Weft_bench_harness

val config : unit -> Plan.config
(** A configuration that can be run. *)

val row :
  ?domains:int ->
  ?cutoff:int ->
  ?size:int ->
  ?ns_per_fork:float ->
  ?peak:int ->
  ?figures:(string * float list) list ->
  string ->
  string ->
  float list ->
  Row.t
(** [row bench method_ seconds] is a row on [domains] (1) without a cutoff, of [size] (10). The methods
    [sequential] and [no-pool] are baselines. The figures are titles with one value for each run. *)

val header : ?processors:int -> unit -> Header.t
(** The file of a run of three rounds, on a machine of [processors] (2). *)

val run : ?source:string -> Row.t list -> Weft_bench_plots.Run.t

val file : string -> string -> Row.t list -> string
(** [file folder name rows] writes a new file of results, and is its path. *)
