(** Results as CSV and as JSON of Google Benchmark. *)

val tests : unit Alcotest.test_case list
