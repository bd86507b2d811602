(** Memory outside of OCaml's heap, used again and again: for what lies in the heap, and so may move while MPI
    reads or writes it. *)

type ('a, 'k) pool

val pool : ('a, 'k) Bigarray.kind -> ('a, 'k) pool
val chars : (char, Bigarray.int8_unsigned_elt) pool
val floats : (float, Bigarray.float64_elt) pool

val bytes : unit -> int
(** How much memory {!chars} and {!floats} keep at the moment: less than 16 MiB. *)

val using : ('a, 'k) pool -> int -> (('a, 'k, Bigarray.c_layout) Bigarray.Array1.t -> 'b) -> 'b
(** [using pool n f] is [f buffer] for a buffer of at least [n] elements, with arbitrary contents, which goes
    back to the pool when [f] returns. If [f] raises, a request may still use the buffer: it is left to the
    collector, which spares it as long as {!Engine} keeps it. *)
