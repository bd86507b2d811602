(** One of Weft's modules against the standard library's of the same name. *)

type reason = string * string list
(** Why, and the functions of which that is true. *)

type verdict =
  | Parallel  (** the same type; it runs the user's function, or moves elements, in parallel *)
  | Sequential  (** the same type; Weft's own, in the calling fiber alone *)
  | Own  (** the very function of the standard library *)
  | Other of { type_ : string; why : string }  (** another type *)
  | Missing of string  (** why *)

type t = {
  standard : (string * string * verdict) list;
      (** names and types of the standard library's functions, in its order *)
  more : Signature.t;  (** the functions that only Weft has *)
}

val compare :
  standard:Signature.t ->
  weft:Signature.t ->
  own:string list ->
  sequential:string list ->
  other:reason list ->
  missing:reason list ->
  t * string list
(** The comparison, and what is wrong: a function that is missing or has another type without a reason; and a
    name in one of the lists for which that is not so. *)
