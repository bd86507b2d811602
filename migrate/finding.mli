(** What is found in one file. *)

type note = {
  at : int;  (** the byte it is about *)
  needed : bool;  (** without it the program does not compile, or not do the same *)
  what : string;  (** what stands there *)
  advice : string;  (** what to do, or what may be done *)
}

type t = { edits : Edit.t list; notes : note list }

val nothing : t
val edit : Sexp.span -> string -> t
val note : ?needed:bool -> int -> what:string -> string -> t
val ( @ ) : t -> t -> t
val concat : t list -> t

val old_name : string
(** ["domainslib"]. *)

val new_name : string
(** ["weft-domainslib"]. *)
