(** The copying functions of [Weft.Array], documented there. Several domains copy long ranges, in blocks;
    OCaml's own functions copy short ones. *)

val blit : 'a array -> int -> 'a array -> int -> int -> unit
val fill : 'a array -> int -> int -> 'a -> unit
val sub : 'a array -> int -> int -> 'a array
val copy : 'a array -> 'a array
val append : 'a array -> 'a array -> 'a array
val flatten : who:string -> 'a array array -> 'a array
val concat : 'a array list -> 'a array
val rev : 'a array -> 'a array
val rev_inplace : ?pos:int -> ?len:int -> 'a array -> unit
val rotate : int -> 'a array -> 'a array
