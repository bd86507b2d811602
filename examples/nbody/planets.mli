(** A system whose energy is known. *)

val system : unit -> System.t
(** The sun and its four large planets, as in the Computer Language Benchmarks Game: in astronomical units and
    years, with momentum 0. *)
