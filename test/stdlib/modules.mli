(** Weft's collections beside those of the standard library: what differs, and why. *)

type t = {
  title : string;  (** ["Weft.Array"] *)
  standard : string;  (** ["Stdlib.Array"] *)
  renamed : string;  (** how the two modules' own types are written in the table *)
  comparison : Comparison.t;
  wrong : string list;
}

val all : unit -> t list
