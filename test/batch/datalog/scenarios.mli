(** Random databases with random changes, and their expected contents. *)

open Weft_containers
open Datalog
module Tuples = Naive.Tuples

type t = {
  rules : rule list;
  start : atom list;  (** facts *)
  batches : change list list;
  queries : query list;
}

val arbitrary : t QCheck.arbitrary
val create : ?runner:runner -> t -> Datalog.t

val facts : t -> Tuples.t
(** The facts at first. *)

val apply_all : Tuples.t -> change list -> Tuples.t * bool list
(** The facts after these changes, and the changes' results. *)

val contents : Datalog.t -> (string * int) list -> Tuples.t
(** All tuples of these predicates, facts or not. *)

val sorted_rows : answers -> value list list

val check_state : string -> Datalog.t -> rule list -> Tuples.t -> unit
(** Checks that the database is in order, and has exactly what follows from these facts. *)

val property : ?count:int -> string -> (t -> unit) -> unit Alcotest.test_case
(** Checks random changes. *)
