(** The interfaces that users read, and what they state of costs. *)

type value = {
  name : string;  (** of a module inside: ["Stage.serial"]; of a functor or a signature, its own alone *)
  text : string;  (** what stands right behind its type, without an empty line between; [""] if nothing does *)
}

type t = { head : string;  (** the comment that the file begins with *) values : value list }

val parse : string -> t
(** [parse text] is what an [.mli] has before [(**/**)]. *)

val read : string -> t
(** [read file], by its path from the repository. *)

val public : unit -> string list
(** The files of all modules that users may name. *)

val paragraph_on_costs : t -> string
(** What stands at the head from ["{b Cost"] on. *)

type stated =
  | Itself  (** by its own text, which may refer to another's, or where its name stands in the paragraph *)
  | By_rule of string  (** by the paragraph's ["each function is O(n), unless it says otherwise"]: ["O(n)"] *)
  | Nowhere

val stated : costs:string -> value -> stated
(** [costs]: the paragraph. *)
