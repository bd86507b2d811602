(** Which of the planted faults is in force.

    In the mutants' copy of the sources each fault stands beside what it replaces, as
    [if Mutation.is "name" then fault else original]. *)

val is : string -> bool

val plant : string -> unit
(** Puts the fault of that name into force, and no other one. The empty name is no fault. *)
