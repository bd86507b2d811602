(** Tests that may hang: one that lasts too long is named, and ends the program with SIGABRT, which leaves a
    core where the system keeps them. *)

val case : ?seconds:float -> string -> (unit -> unit) -> unit Alcotest.test_case
(** As [Alcotest.test_case name `Quick]. At most [seconds] (120). *)

val watched : (unit -> string) -> (unit -> 'a) -> 'a
(** [watched what f] is [f ()]; should the test hang meanwhile, [what ()] is told too. *)
