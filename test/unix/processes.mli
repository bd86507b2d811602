val with_descriptors : string * unit Alcotest.test_case list

val with_threads : string * unit Alcotest.test_case list
(** The same where processes have no descriptors. *)
