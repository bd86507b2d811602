(** The counts for a log. Only one task at a time may use a summary. *)

type t

val create : unit -> t

val of_lines : string -> t
(** [of_lines text] is the summary of the lines of [text]; the last one need not have an end. *)

val add_bad_lines : t -> int -> unit
(** [add_bad_lines t n] counts [n] more lines that cannot be read. *)

val merge : into:t -> t -> unit
(** [merge ~into t] adds the counts of [t] to [into]. The result does not depend on the order in which
    summaries are merged. *)

val requests : t -> int
val bad_lines : t -> int

val bytes : t -> int
(** The size of all answers together; [max_int] if it is more. *)

val by_class : t -> int -> int
(** [by_class t 4] is the number of requests with a status of 400 to 499. 1 to 5. *)

val top : t -> int -> (string * int) list
(** [top t n] is the [n] most frequent paths with their numbers, the most frequent first, equally frequent
    ones in the order of their bytes. *)
