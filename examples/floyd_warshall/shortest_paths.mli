(** Shortest paths between all pairs of nodes. *)

type t = floatarray array
(** Row [i], column [j]: the distance from node [i] to node [j]; [infinity] if there is no way; 0 if [i] is
    [j]. *)

val random_roads : seed:int -> nodes:int -> roads:int -> t
(** [random_roads ~seed ~nodes ~roads] has about [roads] one-way roads from each node, to nodes drawn at
    random. Lengths are whole numbers from 1 to 100, so that sums are exact. *)

val complete : t -> unit
(** [complete distances] takes the lengths of direct roads, and replaces them by those of shortest paths.
    Lengths may be negative, but no cycle may have a negative length: then the result means nothing, and some
    node has a negative distance from itself. [n]{^ 3} steps for [n] nodes, by the method of Floyd and
    Warshall.
    @raise Invalid_argument if a row has fewer elements than there are rows. *)
