(** Immediates, compared by a function. *)

include Runs.S with type order = int -> int -> int and type t = int array
