(** Made-up facts for the advice and the report. *)

open Weft_doctor

val fine : Facts.t
(** A machine on which nothing needs to be changed. *)

val unknown : Facts.t
(** The same machine, of which little is known. *)

val small_heap : Facts.t
(** The same machine, where the user has asked for OCaml's default minor heap... *)

val usual_heap : Facts.t
(** ... and where Weft chooses. *)

val asking : int -> Facts.t -> Facts.t
(** The facts with so many domains asked for. *)

val at_once : int -> Facts.t -> Facts.t
(** The facts with so many workers at once asked for. *)

val quota : float -> Weft_platform.Machine.quota option
(** A quota of so many processors. *)

val calls_for : (string * Facts.t * string) list
(** Facts that call for one piece of advice, with its id and a part of its text. *)
