(** What a log says, in numbers. Not for several tasks at once. *)

type t

val create : unit -> t

val of_lines : string -> t
(** [of_lines text] is the summary of the lines of [text]; the last one need not have an end. *)

val add_bad_lines : t -> int -> unit
(** [add_bad_lines t n] counts [n] more lines that cannot be read. *)

val merge : into:t -> t -> unit
(** [merge ~into t] counts in [into] what [t] has counted, too. In whatever order summaries are merged, the
    result is the same. *)

val requests : t -> int
val bad_lines : t -> int

val bytes : t -> int
(** All answers together; [max_int] if it is more. *)

val by_class : t -> int -> int
(** [by_class t 4] is the number of requests with a status of 400 to 499. 1 to 5. *)

val top : t -> int -> (string * int) list
(** [top t n] is the [n] most frequent paths with their numbers, the most frequent first, equals by their
    bytes. *)
