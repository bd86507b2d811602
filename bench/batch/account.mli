(** Checks a map after many operations whose order is not known.

    Each key is checked by itself. Let [p] be 1 if the key was bound at the start, else 0; [a] the number of
    adds; [r] the number of removals, of which [s] found the key; [f] 1 if the key is bound in the end, else
    0. Each period in which the key is bound begins at the start ([p]) or with an add, and ends with a
    successful removal ([s]) or lasts to the end ([f]). So [s + f <= p + a]; if [p + a] is not 0, then [s + f]
    is not 0 either; and if the key was bound at the start and has removals, at least one of them finds it. A
    search finds a key that was bound and is never removed, and does not find a key that was never bound. The
    final value is that of an add of this key, or the value at the start. *)

open Weft_bench_harness

val found : char
(** A search or a removal that found its key writes this at its index. *)

val not_found : char

val check : replaces:bool -> Workload.t -> Bytes.t -> Subject.contents -> (unit, Benchmark.wrong) result
(** [check ~replaces workload answers contents] checks the answers and the final bindings. If the contents are
    [Asked], each key that was bound or has an operation is looked up, in ascending order. Either way, the map
    must have no other bindings.

    With [replaces], an add replaces the value of a key that is bound. *)
