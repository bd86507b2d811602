(** The functions that libraries of this repository offer, as their compiled interfaces say: also those that
    are included, renamed or made by functors. Modules called [Private] do not count. *)

type argument = { label : string; may_be_absurd : bool }
(** [label]: [""] if there is none. [may_be_absurd]: the type is a number, a text, a list, an array, or a
    choice, a tuple or an option of such. *)

type t = {
  name : string;
      (** its whole path; without the names [Make] and [Make_generic] of functors, as in messages *)
  arguments : argument list;
}

val of_library : ?except:string list -> string -> t list
(** [of_library ~except m] is the list of functions of the library's main module [m], each name once. Modules
    with a path in [except] are left out.
    @raise Failure if a path in [except] is no module. *)

val values : string -> (string * Types.type_expr) list
(** The values of a module with a path like ["Weft.Array"] or ["Stdlib.Float.Array"], of a library of this
    repository or the standard one, in the order of its interface.
    @raise Not_found if there is none. *)
