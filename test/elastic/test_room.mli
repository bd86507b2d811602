(** The room of pools under a CPU quota, in a control group of this system, if one may be made. *)

val subject : group:string -> is_size_given:bool -> 'a
(** What runs in the group, as a process of its own: it ends with 0, 1 (not as promised), or 77 (no such group
    here). [is_size_given]: WEFT_DOMAINS is set. *)

val tests : unit Alcotest.test_case list
