(** The program gnuplot, which draws the figures. Must be called within
    {!Weft_bench_elastic.Processes.guarded}, so that gnuplot never outlives this program. *)

type t
(** A gnuplot that can write the formats asked for. *)

val find : Script.format list -> (t, string) result
(** [find formats] is the first [gnuplot] of the [PATH]. [Error] is one line for the user: gnuplot is not
    there, is too old (before 5.0), or cannot write one of [formats]. Takes some hundredths of a second. *)

val version : t -> string
(** Such as ["5.4"]. *)

val draw : t -> folder:string -> (string * Script.format * Chart.t) list -> (unit, string) result
(** [draw gnuplot ~folder figures] writes each of [figures] to the file of that name in [folder], which must
    exist; other files may be left there. [Error] is one line. It blocks the calling thread. *)
