(** Random inputs that several benchmarks share. The same arguments give the same input. *)

val integers : ?seed:int -> bound:int -> int -> int array
(** [integers ~bound n] is [n] integers from 0 to [bound - 1]; others for another [seed]. *)

val floats : ?seed:int -> int -> float array
(** [floats n] is [n] floats from 0 to 1; others for another [seed]. *)

val text : int -> string
(** [text n] is a text of [n] words, of which few are frequent, as in a language. *)

val is_space : char -> bool
(** [is_space c] is whether [c] separates words of {!text}. *)

(** {1 Graphs} *)

type graph = {
  nodes : int;  (** they are numbered from 0 *)
  first : int array;  (** of [nodes + 1] indices into [neighbours] *)
  neighbours : int array;  (** those of node [u] are from index [first.(u)] to [first.(u + 1) - 1] *)
}

val graph : edges:int -> int -> graph
(** [graph ~edges nodes] is an undirected graph with [edges] edges between random nodes, without those from a
    node to itself. *)
