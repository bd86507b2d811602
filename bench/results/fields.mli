(** What files of results and of baselines have in common. All functions raise {!Decode.Bad}. *)

open Weft_bench_harness

val header : Decode.t -> Header.t
(** [header root] is the header of a file of any kind; of other schemas, and of files that are not Weft's, it
    says what they are. *)

val name : Decode.t -> string
(** A text that is not empty. *)

val grains : (string * Benchmark.grain) list
(** By {!Row.grain_name}; their texts are empty. *)

val roles : (string * Contestant.role) list
(** By {!Row.role_name}. *)

val derived : Decode.t -> string -> float -> float
(** [derived t what expected] is the number [t], which is to be [expected] but for rounding: [what] it says in
    a message, such as [the median of the runs]. *)

val rows : configuration:('row -> 'key) -> (Decode.t -> 'row) -> Decode.t -> 'row list
(** [rows ~configuration row t] is a list of rows, perhaps empty, of which no two have equal configurations.
*)
