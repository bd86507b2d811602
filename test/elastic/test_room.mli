(** The room of pools under a CPU quota, in a control group of this system, if the test may make one. *)

val subject : group:string -> is_size_given:bool -> 'a
(** The program that runs in the group, as a process of its own: it ends with 0, 1 (a promise is broken), or
    77 (no such group here). [is_size_given]: WEFT_DOMAINS is set. *)

val tests : unit Alcotest.test_case list
