(** What to change so that parallel programs run faster here, and why. *)

type t = {
  id : string;  (** a stable name for programs, such as ["minor_heap_small"] *)
  why : string;  (** for people: what is wrong, and what it costs *)
  remedy : string;  (** for people: what to do *)
}
(** A piece of advice. *)

val of_facts : Facts.t -> t list
(** [of_facts facts] is the advice that applies, first the changes that can be made at once. Empty if nothing
    needs to be changed. *)

val all_ids : string list
(** All [id]s. *)
