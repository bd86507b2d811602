(** Which rank has which elements of a {!Distributed_array}: formulas, in the words of High Performance
    Fortran. All are O(1). *)

type t = Block | Cyclic | Block_cyclic of int

type layout
(** A distribution of so many elements over so many ranks. *)

val layout : who:string -> t -> length:int -> ranks:int -> layout
(** @raise Invalid_argument if [length] is negative, or for [Block_cyclic n] with [n < 1]. *)

val distribution : layout -> t
val length : layout -> int

val count : layout -> rank:int -> int
(** How many elements a rank has. *)

val owner : layout -> int -> int
(** [owner l i] is the rank that has element [i], which is there. *)

val local_index : layout -> int -> int
(** [local_index l i] is the place of element [i] on the rank that has it. *)

val global_index : layout -> rank:int -> int -> int
(** [global_index l ~rank j] is the element at place [j] of a rank. It grows with [j]. *)
