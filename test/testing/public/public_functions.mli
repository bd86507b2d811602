(** The functions that libraries of this repository offer, by their compiled interfaces: with what is
    included, renamed and made by functors. What lies in modules called [Private] does not count. *)

type argument = { label : string; may_be_absurd : bool }
(** [label]: [""] if there is none. [may_be_absurd]: the type is a number, a text, a list, an array, or a
    choice, a tuple or an option of such. *)

type t = {
  name : string;
      (** its whole path; without the names [Make] and [Make_generic] of functors, as in messages *)
  arguments : argument list;
}

val of_library : ?except:string list -> string -> t list
(** [of_library ~except m] is the functions of the library's main module [m], each name once. Modules with a
    path in [except] are left out.
    @raise Failure if [except] has a path that is no module. *)
