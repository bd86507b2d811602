(** Compares predictions with measurements, for benchmarks. *)

type row = {
  name : string;  (** the name of the case *)
  figures : Recorded.figures;
  predicted : float;  (** the speed-up, by simulation *)
  lower : float;
  upper : float;
  measured : float;  (** the median of the rounds' speed-ups *)
}

val usual : string list
(** The benchmarks that are compared by default. *)

val find : string -> (Weft_bench_harness.Benchmark.t, string) result

val run :
  domains:int ->
  rounds:int ->
  steal:int ->
  ?size:int ->
  Weft_bench_harness.Benchmark.t ->
  (row, string) result
(** Profiles the benchmark's first way that uses Weft, and measures it alternately on one domain and on
    [domains]. *)

val difference : row -> float
(** The difference of prediction and measurement, divided by the measurement. *)

val text : domains:int -> row list -> string
val json : domains:int -> row list -> Yojson.Safe.t
