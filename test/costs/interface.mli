(** The interfaces that users read, and the costs that they state. *)

type value = {
  name : string;
      (** for one of an inner module: ["Stage.serial"]; for one of a functor or a signature, its name alone *)
  text : string;
      (** the comment right behind its type, without an empty line between; [""] if there is none *)
}

type t = { head : string;  (** the comment at the beginning of the file *) values : value list }

val parse : string -> t
(** [parse text] is the part of an [.mli] before [(**/**)]. *)

val read : string -> t
(** [read file] parses the file with that path in the repository, with the signature that it names, if its [S]
    is that of another file. *)

val public : unit -> string list
(** The files of all modules that users may name. *)

val paragraph_on_costs : t -> string
(** The part of the head from ["{b Cost"] on. *)

type stated =
  | Itself  (** by its own text, which may refer to another's, or by its name in the paragraph *)
  | By_rule of string  (** by the paragraph's ["each function is O(n), unless it says otherwise"]: ["O(n)"] *)
  | Nowhere

val stated : costs:string -> value -> stated
(** [costs]: the paragraph. *)
