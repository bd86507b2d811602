(** What happened in a run, and in which process: the code that a scenario's jobs run writes it, and the
    judgement reads it. Each note counts how often it was made. *)

type t

val make : unit -> t

val add : t -> string -> unit
(** [add n what] notes that the running process did [what]. *)

val once : t -> string -> string
(** [once n what] is the name of the process that did [what].
    @raise Explore.Violation unless it was done exactly once. *)

val at_most_once : t -> string -> string option
(** The same, or [None] if it was not done. *)

val the_one : t -> string list -> string
(** [the_one n whats] is the one of [whats] that was done.
    @raise Explore.Violation unless exactly one was, once. *)
