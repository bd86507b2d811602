(** Unbalanced tree search (Olivier and others, 2007): the nodes of a tree are counted that exists only as the
    rule by which a node tells how many children it has. Some subtrees are a thousand times as large as their
    neighbours, and nobody knows beforehand which.

    The trees are the published ones, with their SHA-1 splitting ({!Splitting}): T1 is geometric (each node
    has any number of children, 4 on average, down to a depth), T3 binomial (the root has 2,000 children, each
    other node 8, with a probability of just less than an eighth, or none). T1L and T3L are larger by 25. *)

type count = { nodes : int; depth : int; leaves : int }
(** What is counted; the root has depth 0. *)

type tree = { seed : int; children : height:int -> Splitting.t -> int }
(** A tree: [children ~height state] is how many children a node has at that depth. *)

val geometric : seed:int -> depth:int -> tree
(** [geometric ~seed ~depth] is one of 4 children on average and at most 100, above [depth]. *)

val binomial : seed:int -> root:int -> probability:float -> children:int -> tree
(** [binomial ~seed ~root ~probability ~children] has [root] children at the root, and elsewhere [children]
    with this probability. *)

val count : tree -> count
(** [count tree] is counted with a stack of one's own, not by recursion: what the programs are checked against
    where nothing is published. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [uts]: [uts_t1], of which the size is the depth (10), and [uts_t3], of which it is the number of
    the root's children (2,000). At these sizes the result must be the published one. *)

val large : Weft_bench_harness.Benchmark.t list
(** [uts_t1l] (depth 13) and [uts_t3l], 17,844 deep. *)
