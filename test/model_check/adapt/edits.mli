(** How the copies of Weft's sources differ from the originals. *)

type edit = {
  file : string;
  was : string;  (** as the file has it, spaces and line breaks included *)
  now : string;
  times : int;  (** how often [was] must occur *)
}

val adaptations : edit list
(** What makes them work on cells; nothing that a process can do differs. *)

type mutant = {
  name : string;
  edits : edit list;  (** none: the fault stands in a shadow module *)
  caught_by : string list;  (** names of scenarios, each of which must fail *)
}

val mutants : mutant list

exception Does_not_apply of edit * int
(** The edit, and how often [was] occurs. *)

val apply : edit list -> file:string -> string -> string
(** [apply edits ~file text] is [text] after those of [edits] that are for [file]. *)
