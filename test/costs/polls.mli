(** Every function of [Weft] that takes longer than O(1), or calls a function of the caller's, takes a request
    for preemption: else a loop of calls would never give way, nor be cancelled. The calls are those of the
    tables, with few things. *)

val tests : Table.t list -> unit Alcotest.test_case list
