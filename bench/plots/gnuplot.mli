(** The program gnuplot, which draws. To be called within {!Weft_bench_elastic.Processes.guarded}, so that it
    never outlives us. *)

type t
(** A gnuplot that can draw what is asked of it. *)

val find : Script.format list -> (t, string) result
(** [find formats] is the first [gnuplot] of the [PATH]. [Error] is one line for the user: it is not there, is
    too old (before 5.0), or cannot write one of [formats]. Takes some hundredths of a second. *)

val version : t -> string
(** As in ["5.4"]. *)

val draw : t -> folder:string -> (string * Script.format * Chart.t) list -> (unit, string) result
(** [draw gnuplot ~folder figures] writes each of [figures] to the file of that name in [folder], which is
    there, and which it may litter. [Error] is one line. Suspends nothing: it blocks its thread. *)
