(** The common fields of files of results and of baselines. All functions raise {!Decode.Bad} for wrong
    values. *)

open Weft_bench_harness

val header : Decode.t -> Header.t
(** [header root] is the header of a file of any kind; for other schemas, and for files that are not Weft's,
    the message says what they are. *)

val name : Decode.t -> string
(** A text that is not empty. *)

val domains : Decode.t -> int
(** From 1 to a million, far more than OCaml has. *)

val grains : (string * Benchmark.grain) list
(** The grains by {!Row.grain_name}; the texts in them are empty. *)

val roles : (string * Contestant.role) list
(** The roles by {!Row.role_name}. *)

val derived : Decode.t -> string -> float -> float
(** [derived t what expected] is the number [t], which must be [expected] except for rounding. Messages call
    it [what], such as [the median of the runs]. *)

val rows : configuration:('row -> 'key) -> (Decode.t -> 'row) -> Decode.t -> 'row list
(** [rows ~configuration row t] is a list of rows, perhaps empty; no two may have equal configurations. *)
