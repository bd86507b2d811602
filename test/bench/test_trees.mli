(** What the benchmarks of trees, integrals and task sizes compute. *)

val tests : unit Alcotest.test_case list
