(** Random programs, queries and changes. *)

open Weft_containers

val program : Datalog.rule list QCheck.Gen.t
(** A stratified program with recursion of all kinds: [e0], [e1], [e2] are for facts; [p0], [p1], [p2] need
    these and each other; [q0], [q1] need all and each other, and negate those below. *)

val predicates : (string * int) list
(** All predicates, with their widths. *)

val fact : Datalog.atom QCheck.Gen.t
(** A fact of any of the predicates. *)

val change : Datalog.change QCheck.Gen.t
val query : Datalog.query QCheck.Gen.t
