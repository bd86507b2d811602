(** The programs written against domainslib ([programs/all.mli]), run with both libraries, every run in a
    process of its own: pool made and ended, results printed and compared. *)

open Weft_bench_harness

type library = Weft_domainslib | Domainslib

val name : library -> string
(** ["weft-domainslib"] and ["domainslib"]: the methods of the rows. *)

type programs
(** The executable of a library. *)

val locate : program:string -> library -> programs option
(** Where it is: beside [program], which is [weft], in a build folder or an installation. [None] if it was not
    built, as that of domainslib is not where the library is missing. *)

type measurable = { program : string; size : int }

val list : ?limit:float -> programs -> (measurable list, string) result
(** The programs to measure, in order. [Error] is one line: also if it takes more than [limit] seconds (20).
*)

type entry = { library : library; measurable : measurable; domains : int }
(** What becomes one row. *)

val run :
  programs:(library * programs) list ->
  runs:int ->
  limit:float ->
  progress:(round:int -> entry -> unit) ->
  entry list ->
  (Row.t list, string) result
(** Runs each of [entries] once in each of [runs] rounds, in the order of {!Rounds.order}; rows in the order
    of [entries]. Those of weft-domainslib have a figure ["x domainslib"], the ratio of the medians. [Error]
    is one line: a process that failed or took longer than [limit] seconds, or two that printed something
    different. To be called within {!Weft_bench_elastic.Processes.guarded}. *)

val verdict : Row.t list -> string
(** One line on the ratios; empty if there are none. *)

val describe : entry -> string
