(** For tests: checks what must hold in every B-tree between two operations. *)

val check : compare:('k -> 'k -> int) -> ('k, 'v) B_tree_node.tree -> unit
(** Raises [Failure] with what is wrong, if anything is: the depth of leaves, the sizes of nodes, the order of
    keys and separators, the lengths of arrays, what free places repeat, the number of bindings. O(n). *)
