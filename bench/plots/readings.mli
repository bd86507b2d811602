(** What targets read off the rows of one run: which rows, and what of them. *)

open Weft_bench_harness

type t = {
  what : string;  (** which row, for people: ["lu 700, default, loop, 2 domains"] *)
  bench : string;  (** of the suites; for a case of [weft bench elastic], what is run there *)
  value : float;  (** infinite: there is none, see {!least_task} *)
  source : string;  (** the file *)
  doubt : string option;  (** why it says nothing, if so: one line, no full stop *)
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

val in_case : string -> choice
(** [in_case name] are those of the case [name] of [weft bench elastic]. *)

val of_suites : choice
(** Those that are of no case of [weft bench elastic]. *)

val of_kin : string -> choice
(** [of_kin kind] are those that measure [kind]: the benchmark itself, or a case of [weft bench elastic] that
    runs it. *)

val usual : Run.t -> choice
(** [usual run] are those in which a program has chosen nothing: those without a cutoff; where a method was
    run only with cutoffs, all of its rows. *)

val all_of : choice list -> choice

(** {1 What of them} *)

val against : choice -> (Row.t -> choice) -> (Row.t -> Row.t -> float) -> Run.t -> t list
(** [against choice other ratio run] is [ratio row base] for each row of [run] that is chosen, and each [base]
    in [run] with [other row base]. *)

val pairs : choice -> (Row.t -> choice) -> (Row.t -> Row.t -> float option) -> Run.t -> t list
(** [pairs choice other value run] is {!against} where [value] may know nothing. *)

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

val above : (Row.t -> float option) -> choice -> (Row.t -> choice) -> Run.t -> t list
(** [above value choice other run] is by how much [value row] is above that of each row [other]. *)

val per_operation : Row.t -> float option
(** [per_operation row] are the nanoseconds that it takes for each of its operations, where the size is their
    number. *)

val figure_of : string -> Row.t -> float option
(** [figure_of title row] is the median of that figure. *)

val least_task : choice -> Run.t -> t list
(** [least_task choice run] are the METG(50 %) in nanoseconds of those of [metg]: infinite where no size of
    task is half efficient. In doubt where more of the time is work than there is time. *)

val times_the_memory : choice -> Run.t -> t list
(** [times_the_memory choice run] is the peak memory against that of the baseline. *)

val times_the_best_chunk : choice -> Run.t -> t list
(** [times_the_best_chunk choice run]: of the method [loop] without a chunk, the time against the least of any
    method with one, on as many domains. *)

val number_of : choice -> Run.t -> t list
(** [number_of choice run] is how many rows are chosen; nothing if none is. *)
