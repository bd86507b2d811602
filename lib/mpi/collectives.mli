(** Collectives on Bigarrays: see {!Mpi}. *)

type op = Raw.op = Sum | Product | Min | Max | Bits_and | Bits_or | Bits_xor
type comm := Communicator.t
type ('a, 'k, 'l) array := ('a, 'k, 'l) Bigarray.Array1.t

val barrier : ?even_if_cancelled:bool -> comm -> unit
(** See {!Engine.perform}. *)

val broadcast : comm -> root:int -> ('a, 'k, 'l) array -> unit
val reduce : comm -> op -> root:int -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val all_reduce : comm -> op -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val scan : comm -> op -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val scan_exclusive : comm -> op -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val gather : comm -> root:int -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val all_gather : comm -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val all_gather_parts : comm -> lengths:int Stdlib.Array.t -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val scatter : comm -> root:int -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit
val all_to_all : comm -> ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> unit

(** {1 Arrays of OCaml's heap, by a buffer} *)

val broadcast_floats : comm -> root:int -> float Stdlib.Array.t -> unit
val all_reduce_floats : comm -> op -> float Stdlib.Array.t -> unit
val broadcast_bytes : comm -> root:int -> bytes -> unit

val offsets : int Stdlib.Array.t -> int Stdlib.Array.t
(** Where parts of these lengths begin, one behind the other. *)

val set_max_count : int -> unit
(** For tests: how many elements one call of MPI is given at most. *)
