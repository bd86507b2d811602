(** Stands for the short searches that [Search] begins with: here no search is short. *)

val first : look:(int -> int -> 'a option) -> by_loop:(int -> 'a option) -> int -> int -> 'a option
val any : look:(int -> int -> 'a option) -> by_loop:(int -> unit) -> int -> int -> unit
