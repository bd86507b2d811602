(** Loops over the rows of bigarrays, one set for each kind, layout and number of dimensions that matters.

    Where kind and layout are known by their types, the compiler reads and writes a bigarray directly; where
    they are variables, it calls a C function for each element. So the same loops are written out for each
    combination, by [rows_generator]; the generic functions are for the kinds it does not list.

    A {e row} is what lies next to each other in memory: the elements that differ in the last index, or in the
    first one in Fortran's layout. Rows, and places in a row, count from 0 in the order of memory. Bounds are
    not checked.

    No loop takes a part of a bigarray by [sub], [slice] or [reshape]: these write to the bigarray they share
    the memory with (its proxy), so that two tasks that did it at the same time could free the memory twice.
*)

open Bigarray

type ('array, 'element, 'make, 'see) t = {
  get : 'array -> int -> int -> 'element;  (** [get a row x] *)
  fill : 'array -> 'element -> int -> int -> int -> unit;
      (** [fill a v row first last] is for the places [first] to [last] (included), as all that follow *)
  copy : 'array -> 'array -> int -> int -> int -> unit;  (** from the first to the second *)
  init : 'array -> 'make -> int -> int -> int -> unit;  (** by a function of the indices, as users count *)
  map : 'array -> 'array -> ('element -> 'element) -> int -> int -> int -> unit;
      (** from the first to the second, which may be the same *)
  iter : 'array -> ('element -> unit) -> int -> int -> int -> unit;
  iteri : 'array -> 'see -> int -> int -> int -> unit;
  fold : 'acc. 'array -> ('acc -> 'element -> 'acc) -> 'acc -> int -> int -> int -> 'acc;
}

val rows1 : ('a, 'b) kind -> 'c layout -> (('a, 'b, 'c) Array1.t, 'a, int -> 'a, int -> 'a -> unit) t

val rows2 :
  ('a, 'b) kind -> 'c layout -> (('a, 'b, 'c) Array2.t, 'a, int -> int -> 'a, int -> int -> 'a -> unit) t

val rows3 :
  ('a, 'b) kind ->
  'c layout ->
  (('a, 'b, 'c) Array3.t, 'a, int -> int -> int -> 'a, int -> int -> int -> 'a -> unit) t
