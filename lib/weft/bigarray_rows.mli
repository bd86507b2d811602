(** Loops over the rows of bigarrays: one set of loops for each combination of kind, layout and number of
    dimensions that is worth it.

    If the types say kind and layout, the compiler reads and writes a bigarray directly; if they are type
    variables, it calls a C function for each element. So [rows_generator] writes the same loops out for each
    combination; kinds that it does not list use generic loops.

    The elements of a {e row} lie next to each other in memory: they differ in the last index only, or, in
    Fortran's layout, in the first one. Rows, and places in a row, are counted from 0 in the order of memory.
    Bounds are not checked.

    No loop takes a part of a bigarray by [sub], [slice] or [reshape]: these write to the proxy of the
    bigarray with which they share the memory, so two tasks that did so at the same time could free the memory
    twice. *)

open Bigarray

type ('array, 'element, 'make, 'see) t = {
  get : 'array -> int -> int -> 'element;  (** [get a row x] *)
  fill : 'array -> 'element -> int -> int -> int -> unit;
      (** [fill a v row first last] is for the places [first] to [last] (included); the following fields take
          the same range *)
  copy : 'array -> 'array -> int -> int -> int -> unit;  (** from the first to the second *)
  init : 'array -> 'make -> int -> int -> int -> unit;  (** by a function of the user's indices *)
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
