(** What targets read off the rows of one run: which rows, and what of them. *)

open Weft_bench_harness

type t = {
  what : string;  (** which row, for people: ["lu 700, default, loop, 2 domains"] *)
  value : float;
  source : string;  (** the file *)
}

(** {1 Which rows} *)

type choice = Row.t -> bool

val bench : string -> choice
val of_method : string -> choice

val on : int -> choice
(** [on n] are those on [n] domains. *)

val uncut : choice
(** Those without a cutoff or chunk. *)

val one_of : string list -> choice
(** [one_of names] are those of the benchmarks [names]. *)

val named_like : string -> choice
(** [named_like prefix] are those of benchmarks whose names begin so. *)

val ours : choice
(** Those of Weft's methods, unless pauses set their times. *)

val usual : Run.t -> choice
(** [usual run] are those in which a program has chosen nothing: those without a cutoff; where a method was
    run only with cutoffs, all of its rows. *)

val all_of : choice list -> choice

(** {1 What of them} *)

val against : choice -> (Row.t -> choice) -> (Row.t -> Row.t -> float) -> Run.t -> t list
(** [against choice other ratio run] is [ratio row base] for each row of [run] that is chosen, and each [base]
    in [run] with [other row base]. *)

val times : Row.t -> Row.t -> float
(** [times row base] is how many times as long [row] takes, by the medians. *)

val times_faster : Row.t -> Row.t -> float
(** [times_faster row base] is how many times as long [base] takes. *)

val sequential : Row.t -> choice
(** [sequential row] is the baseline of the same benchmark and size. *)

val rival : string -> Row.t -> choice
(** [rival method_ row] is that method in the same case on as many domains. *)

val same_on : int -> Row.t -> choice
(** [same_on n row] is the same method and case on [n] domains. *)

val of_figure : string -> choice -> Run.t -> t list
(** [of_figure title choice run] are the medians of the figure of that title. *)

val times_the_rate : string -> choice -> (Row.t -> choice) -> Run.t -> t list
(** [times_the_rate title choice other run] is how many times as great that figure is as that of the rows
    [other]; nothing where the latter is 0. *)

val times_the_memory : choice -> Run.t -> t list
(** [times_the_memory choice run] is the peak memory against that of the baseline. *)

val times_the_best_chunk : choice -> Run.t -> t list
(** [times_the_best_chunk choice run]: of the method [loop] without a chunk, the time against the least of any
    method with one, on as many domains. *)

val number_of : choice -> Run.t -> t list
(** [number_of choice run] is how many rows are chosen; nothing if none is. *)
