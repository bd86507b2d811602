(** Made-up facts for the advice and the report. *)

open Weft_doctor

val fine : Facts.t
(** A machine at which nothing needs to be changed. *)

val unknown : Facts.t
(** The same, of which little is known. *)

val small_heap : Facts.t
(** The same, with OCaml's own minor heap, asked for by the user... *)

val usual_heap : Facts.t
(** ... and left to Weft. *)

val asking : int -> Facts.t -> Facts.t
(** With so many domains asked for. *)

val at_once : int -> Facts.t -> Facts.t
(** With so many workers at once asked for. *)

val quota : float -> Weft_platform.Machine.quota option
(** Of so many processors. *)

val calls_for : (string * Facts.t * string) list
(** Facts that call for one piece of advice: its id, and what its text must say. *)
