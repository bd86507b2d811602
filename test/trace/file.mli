(** A trace, read back and checked against doc/trace-format.md. *)

type event = {
  phase : string;
  time : float;  (** microseconds *)
  length : float;  (** 0 if it has no length *)
  track : int;
  category : string;
  name : string;
  id : string;  (** "" if it has no id *)
  arguments : (string * Yojson.Safe.t) list;
}

type t = { events : event list; names : (int * string) list; about : Yojson.Safe.t }

val read : string -> t
(** Fails the test if the page does not allow something: an unknown category, a beginning without an end,
    spans that cross, a time before 0 or after the end. *)

val about : t -> string -> Yojson.Safe.t
(** A member of [otherData.weft]. *)

val lost_words : t -> int
val of_category : t -> ?phase:string -> ?name:string -> string -> event list

val int : event -> string -> int
(** An argument. *)

val text : event -> string -> string
val is_unfinished : event -> bool
