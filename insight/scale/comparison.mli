(** Predictions beside measurements, for benchmarks. *)

type row = {
  name : string;  (** of the case *)
  figures : Recorded.figures;
  predicted : float;  (** speed-up, by simulation *)
  lower : float;
  upper : float;
  measured : float;  (** the median over the rounds of the speed-up in each *)
}

val usual : string list
(** The benchmarks that are compared unless others are named. *)

val find : string -> (Weft_bench_harness.Benchmark.t, string) result

val run :
  domains:int ->
  rounds:int ->
  steal:int ->
  ?size:int ->
  Weft_bench_harness.Benchmark.t ->
  (row, string) result
(** Profiles the benchmark's first way that uses Weft, and measures it on one domain and on [domains], turn
    and turn about. *)

val difference : row -> float
(** Of the prediction from the measurement, as a part of that. *)

val text : domains:int -> row list -> string
val json : domains:int -> row list -> Yojson.Safe.t
