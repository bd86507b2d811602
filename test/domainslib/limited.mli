(** Test cases under a time limit. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
(** A case that ends the program if it takes more than a minute. *)
