(** One call of [weft bench], from which figures and targets are made. *)

open Weft_bench_harness

type t = {
  source : string;  (** the name of its file *)
  header : Header.t;
  rows : Row.t list;  (** the rows with right results *)
}

val read : string -> (t, string) result
(** [read path] is the run in that file. [Error] is one line for the user: the file cannot be read, is no
    JSON, does not hold results of [weft bench], or holds no right result. *)

val runs : t -> int
(** The number of measured rounds. *)

val processors : t -> int option
(** How many processors the run could use at once, quotas rounded up; [None]: not known. *)

(** {1 Rows} *)

val is_baseline : Row.t -> bool
(** Whether the row is the plain program that others are compared with. *)

val is_plain : Row.t -> bool
(** Whether the row is any plain program: one domain, no cutoff. *)

val baseline : t -> Row.t -> Row.t option
(** [baseline run row] is the baseline of the same benchmark and size in [run]. *)

val figure : string -> Row.t -> Row.figure option
(** [figure title row] is the figure with that title. *)

val case : Row.t -> string
(** [case row] are benchmark, size and cutoff of the row: ["fib 36, no cutoff"]. *)

val same_case : Row.t -> Row.t -> bool
(** Whether benchmark, size and cutoff are the same. *)

val same_problem : Row.t -> Row.t -> bool
(** Whether benchmark and size are the same. *)

val distinct : ('a -> 'a -> bool) -> 'a list -> 'a list
(** [distinct same xs] is the first of each kind, in order. *)

val groups : ('a -> 'a -> bool) -> 'a list -> 'a list list
(** [groups same xs] groups equal elements, in the order of the first of each. *)
