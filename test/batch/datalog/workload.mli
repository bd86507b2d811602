(** The workload of the database's benchmarks: a dense graph, its transitive closure, many queries and some
    new edges. *)

open Weft_containers

val nodes : int
(** 200 *)

val program : string
(** The rules: [path] is the transitive closure of [edge]. *)

val edges : Datalog.atom array
(** 30,000 different edges, which are there at first. *)

val start : unit -> Datalog.program
(** The rules and the first edges. *)

(** One operation. *)
type operation =
  | Insert of Datalog.atom
  | Ask of Datalog.query  (** for {!Datalog.holds} or {!Datalog.query} *)

(** The queries. *)
type kind = Point  (** [path(a, b)]: one look-up *) | From  (** [path(a, X)]: about 200 answers *)

val operations : ?queries:int -> ?inserts:int -> kind -> operation array
(** By default 45,000 queries of random nodes, and 5,000 inserts of different edges that are not there at
    first; mixed at random, in the same way every time. *)

val expected_paths : int
(** How many tuples [path] has, at first and at the end: the graph is connected from the start, so that every
    query for nodes holds. *)

val expected_edges : inserts:int -> int
(** How many tuples [edge] has after all operations. *)
