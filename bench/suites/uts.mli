(** Unbalanced tree search (Olivier and others, 2007): counts the nodes of a tree that is given only by a rule
    for the number of a node's children. Some subtrees are a thousand times as large as their neighbours, and
    it is not known beforehand which.

    The trees are the published ones, with their SHA-1 splitting ({!Splitting}): T1 is geometric (each node
    has any number of children, 4 on average, down to a depth), T3 binomial (the root has 2,000 children, each
    other node 8, with a probability of just less than an eighth, or none). T1L and T3L are about 25 times as
    large. *)

type count = { nodes : int; depth : int; leaves : int }
(** The counts; the root has depth 0. *)

type tree = { seed : int; children : height:int -> Splitting.t -> int }
(** A tree: [children ~height state] is the number of children of a node at that depth. *)

val geometric : seed:int -> depth:int -> tree
(** [geometric ~seed ~depth] is a tree whose nodes above [depth] have 4 children on average and at most 100.
*)

val binomial : seed:int -> root:int -> probability:float -> children:int -> tree
(** [binomial ~seed ~root ~probability ~children] has [root] children at the root; every other node has
    [children] children with this probability, else none. *)

val count : tree -> count
(** [count tree] counts with an explicit stack, not by recursion. The programs are checked against it where no
    published result exists. *)

val check : count -> count -> (unit, Weft_bench_harness.Benchmark.wrong) result
(** [check expected got] is right if all three numbers are equal. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [uts]: [uts_t1], whose size is the depth (10), and [uts_t3], whose size is the number of the
    root's children (2,000). At these sizes the result must be the published one. *)

val large : Weft_bench_harness.Benchmark.t list
(** [uts_t1l] (size 13) and [uts_t3l], whose tree is 17,844 deep. *)
