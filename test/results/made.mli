(** Made-up results of measurements. *)

open Weft_bench_harness
open Weft_bench_results

val header : Header.t

val row :
  ?bench:string ->
  ?grain:Benchmark.grain ->
  ?method_:string ->
  ?role:Contestant.role ->
  ?paced:bool ->
  ?domains:int ->
  ?cutoff:int ->
  ?size:int ->
  ?figures:(string * float list) list ->
  float list ->
  Row.t
(** [row seconds] is a row with these runs: by default of [fib 30], method [par], two domains. *)

val plain : float list -> Row.t
(** The sequential program of that benchmark. *)

val results : ?header:Header.t -> ?skipped:Results.skipped list -> Row.t list -> Results.t
(** [results rows]: a file in which the rows are compared with each other. *)

val sample : Results.t
(** Every kind of row: plain, with and without a cutoff, paced, with figures. *)

val file : string -> string -> Yojson.Safe.t -> string
(** [file folder name json] writes the file, and is its path. *)

val in_folder : (string -> 'a) -> 'a
(** [in_folder f] is [f folder] for a new folder, which is removed. *)

val write : string -> string -> unit

val set : string -> Yojson.Safe.t -> Yojson.Safe.t -> Yojson.Safe.t
(** [set path value json] is [json] with [value] at [path], such as [rows[0].median]; a missing key is added.
*)

val without : string -> Yojson.Safe.t -> Yojson.Safe.t
(** [without path json] is [json] without the key at the end of [path]. *)

val get : string -> Yojson.Safe.t -> Yojson.Safe.t
