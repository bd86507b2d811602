(** What must hold of a map after many operations in no known order.

    For each key by itself: with [p] = 1 if it was bound before, else 0, [a] adds, [r] removals of which [s]
    found it bound, and [f] = 1 if it is bound in the end, the times at which it is bound begin with [p] or an
    add, and end with [s] or [f]. So [s + f <= p + a]; if [p + a] is not 0, nor is [s + f]; the first removal
    of a key that was bound finds it. Searches find a key that was bound and is never removed, and none that
    was not and is never added. The value is that of an add of this key, or the one before. *)

open Weft_bench_harness

val found : char
(** What a search or a removal that found its key writes at its index. *)

val not_found : char

val check : replaces:bool -> Workload.t -> Bytes.t -> Subject.contents -> (unit, Benchmark.wrong) result
(** [check ~replaces workload answers contents]. A map that is [Asked] is asked for every key that was bound
    or comes in an operation, in ascending order, and must have no other bindings; nor must one that is
    [Listed].

    [replaces]: a key that was bound and has been added to does not keep its value. *)
