(** The syntax trees of programs and queries. *)

type value =
  | Int of int
  | Symbol of string  (** a name without quotes, or in single ones *)
  | String of string

type term = Value of value | Variable of string | Wildcard  (** [_]: anything, each time another value *)
type atom = { predicate : string; terms : term list }
type comparison = Equal | Different | Less | At_most | Greater | At_least

type literal =
  | Holds of atom
  | Fails of atom  (** [not p(X)]: there is no such tuple *)
  | Compare of term * comparison * term

type place = { line : int; column : int }
(** Both count from 1; columns count characters, not bytes. *)

type rule = {
  head : atom;
  body : literal list;  (** empty for a fact *)
  place : place option;  (** where it stands in a text *)
}

type query = { body : literal list; place : place option }
type program = { rules : rule list; queries : query list }
type error = { place : place option; message : string }

exception Error of error
(** What is wrong with a program. *)

val fail : place option -> ('a, unit, string, 'b) format4 -> 'a
(** [fail place format ...] raises {!Error}. *)

val error_message : error -> string
(** ["line 3, column 14: expected ..."]; the message alone if there is no place. *)

val compare_values : value -> value -> int
(** The order of comparisons: integers by size, then symbols, then strings, both byte by byte. *)

val compares : comparison -> int -> bool
(** [compares c n] is whether two values between which {!compare_values} is [n] are in the relation [c]. *)

val variables : term list -> string list
(** The variables of the terms, each once, in order. *)

val variables_of_literals : literal list -> string list
(** The variables of the literals, each once, in order. *)

val arguments : int -> string
(** ["1 argument"], ["2 arguments"]. *)

(** {1 Printing}

    What is printed can be read again, if the names of predicates and variables are what the language allows.
*)

val value_to_string : value -> string
val atom_to_string : atom -> string
val literal_to_string : literal -> string
val rule_to_string : rule -> string
