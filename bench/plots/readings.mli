(** What targets read from the rows of one run: which rows, and which value of each. *)

open Weft_bench_harness

type t = {
  what : string;  (** the row, for people: ["lu 700, default, loop, 2 domains"] *)
  bench : string;
      (** the benchmark of the suites; for a case of [weft bench elastic], the one that it runs *)
  value : float;  (** infinite if there is none, see {!least_task} *)
  source : string;  (** the file that the value is from *)
  doubt : string option;  (** why the value is not reliable, if so: one line, no full stop *)
}

(** {1 Which rows} *)

type choice = Row.t -> bool

val bench : string -> choice
val of_method : string -> choice

val on : int -> choice
(** [on n] are the rows on [n] domains. *)

val uncut : choice
(** The rows without a cutoff or chunk. *)

val one_of : string list -> choice
(** [one_of names] are the rows of the benchmarks [names]. *)

val named_like : string -> choice
(** [named_like prefix] are the rows of benchmarks whose names begin with [prefix]. *)

val ours : choice
(** The rows of Weft's methods, except those whose times are set by pauses. *)

val in_case : string -> choice
(** [in_case name] are the rows of the case [name] of [weft bench elastic]. *)

val of_suites : choice
(** The rows that belong to no case of [weft bench elastic]. *)

val of_kin : string -> choice
(** [of_kin kind] are the rows that measure [kind]: those of the benchmark itself, or of a case of
    [weft bench elastic] that runs it. *)

val usual : Run.t -> choice
(** [usual run] are the rows with default settings: those without a cutoff; if a method was run only with
    cutoffs, all of its rows. *)

val all_of : choice list -> choice

(** {1 Values} *)

val against : choice -> (Row.t -> choice) -> (Row.t -> Row.t -> float) -> Run.t -> t list
(** [against choice other ratio run] is [ratio row base] for each chosen row of [run] and each [base] in [run]
    with [other row base]. *)

val pairs : choice -> (Row.t -> choice) -> (Row.t -> Row.t -> float option) -> Run.t -> t list
(** [pairs choice other value run] is {!against}, where [value] may be [None]. *)

val times : Row.t -> Row.t -> float
(** [times row base] is the time of [row] divided by that of [base], by the medians. *)

val times_faster : Row.t -> Row.t -> float
(** [times_faster row base] is the time of [base] divided by that of [row]. *)

val sequential : Row.t -> choice
(** [sequential row] accepts the baseline of the same benchmark and size. *)

val rival : string -> Row.t -> choice
(** [rival method_ row] accepts that method in the same case on as many domains. *)

val same_on : int -> Row.t -> choice
(** [same_on n row] accepts the same method and case on [n] domains. *)

val of_figure : string -> choice -> Run.t -> t list
(** [of_figure title choice run] are the medians of the figure with that title. *)

val times_the_rate : string -> choice -> (Row.t -> choice) -> Run.t -> t list
(** [times_the_rate title choice other run] is that figure divided by that of the rows [other]; there is no
    reading where the latter is 0. *)

val cpu_ratio : choice -> Run.t -> t list
(** [cpu_ratio choice run] is the processor time divided by that of the baseline. *)

val times_a_fork : choice -> (Row.t -> choice) -> Run.t -> t list
(** [times_a_fork choice other run] is the time of a fork divided by that of a fork of the rows [other]. *)

val above : (Row.t -> float option) -> choice -> (Row.t -> choice) -> Run.t -> t list
(** [above value choice other run] is the difference of [value row] and the value of each row [other]. *)

val per_operation : Row.t -> float option
(** [per_operation row] are the nanoseconds per operation, if the size is the number of operations. *)

val figure_of : string -> Row.t -> float option
(** [figure_of title row] is the median of that figure. *)

val least_task : choice -> Run.t -> t list
(** [least_task choice run] are the METG(50 %) in nanoseconds of the rows of [metg]: infinite where no size of
    task reaches half efficiency. A reading is in doubt if the work takes clearly more than the whole time. *)

val times_the_memory : choice -> Run.t -> t list
(** [times_the_memory choice run] is the peak memory divided by that of the baseline. *)

val times_the_best_chunk : choice -> Run.t -> t list
(** [times_the_best_chunk choice run] is the time of the method [loop] without a chunk, divided by the least
    time of any method of OCaml with a chunk, on as many domains. *)

val number_of : choice -> Run.t -> t list
(** [number_of choice run] is the number of chosen rows; there is no reading if none is chosen. *)
