(** Graphs, as lists of neighbours. *)

type t = int array array
(** Nodes are numbers from 0; element [u] has the neighbours of [u]. *)

val random : seed:int -> scale:int -> edges:int -> t
(** [random ~seed ~scale ~edges] has [2 ^ scale] nodes and at most [edges] edges, which go both ways: an edge
    that is drawn twice counts once, and edges from a node to itself are left out. Neighbours are in
    increasing order. A few nodes have very many, and most have few or none, as in a network of people.

    The same arguments give the same graph on every number of domains. Chakrabarti, Zhan and Faloutsos: R-MAT,
    a recursive model for graph mining, SDM 2004, with the probabilities of the Graph 500 benchmark. *)

val edges : t -> int
(** [edges graph] is the number of edges, if all go both ways. *)
