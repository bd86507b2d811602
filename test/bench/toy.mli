(** A benchmark with scripted behaviour, and the command [weft bench] over it. *)

open Weft_bench_harness

type event = { benchmark : string; method_ : string; params : Benchmark.params }
(** One run. *)

val ran : unit -> event list
(** [ran ()] is every run since the last {!reset}, in order. *)

val reset : unit -> unit
(** [reset ()] forgets them. *)

val way : string -> Contestant.t -> (Benchmark.params -> int) -> Benchmark.way
(** [way benchmark contestant answer] is the method of that benchmark for [contestant], which computes
    [answer params]. *)

val benchmark :
  ?name:string ->
  ?group:string ->
  ?grain:Benchmark.grain ->
  ?answer:(Benchmark.params -> int) ->
  unit ->
  Benchmark.t
(** [benchmark ()] is a benchmark with the methods [sequential] and [twin] and the sizes 0 to 100. Its right
    result is its size; its method [twin] computes [answer params] (by default the right result). [grain] is a
    cutoff by default: then there are two cases, with cutoff 3 and without; otherwise one. The size is 7, the
    quick one 2; a sweep tries 5 and 6, and the cutoffs 1, 2, 4, or the chunks 1, 4, 16. *)

type outcome = { code : int; out : string; err : string }
(** The results of a command: exit code, standard output, standard error. *)

val message : string -> string
(** The line on standard error that says what is wrong with the arguments. Cmdliner 2 prints the usage before
    it, cmdliner 1 after it. *)

val command : int Cmdliner.Cmd.t -> string list -> outcome
(** [command cmd arguments] runs [cmd] with them. *)

val bench :
  ?on_request:Benchmark.t list ->
  ?large:Benchmark.t list ->
  ?missing:Contestant.missing list ->
  ?rivals:Weft_bench.Measure.rivals ->
  Benchmark.t list ->
  string list ->
  outcome
(** [bench benchmarks arguments] is [weft bench arguments] over [benchmarks], with [on_request] and [large] as
    in {!Weft_bench.Selection.make}; [missing] are methods that are not available, [rivals] tells which are
    not Weft's. *)

val in_folder : (string -> unit) -> unit
(** [in_folder f] is [f] of a new folder, which is removed at the end. *)
