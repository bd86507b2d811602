(** A Datalog database: facts, and everything that follows from them by rules.

    {[
      let db = Datalog.of_string {|path(X, Y) :- edge(X, Y).
            path(X, Z) :- edge(X, Y), path(Y, Z).|}

      let _new = Datalog.assert_fact db (Datalog.fact "edge" [ Symbol "a"; Int 1 ])
      let answers = Datalog.query db (Datalog.parse_query "path(a, X)")
    ]}

    The database keeps everything that follows ({e materialised}), so queries only look things up. It finds
    what a new fact adds by semi-naive evaluation, and what a retracted fact takes away by delete and rederive
    with ranks.

    Only one thread at a time may change a database; while nobody changes it, any number of threads may read
    it ({!Reading}).

    {b Cost.} Each function says it. Functions that make or print something are linear in its size:
    {!parse_query}, {!fact}, {!compare_values}, {!value_to_string}, {!atom_to_string}, {!literal_to_string},
    {!rule_to_string}, {!error_message}, {!rows}; {!val-rule}, {!val-atom} and {!ask} are O(1). {!of_string}
    costs what {!parse} and {!create} do, {!val-change} what its changes do; {!val-query} and {!val-count} are
    O(answers) where there is an index, no wildcard, and no variable twice. A change runs the rules that read
    what it changes, round by round. In each round it looks at all rules of their stratum (rules whose heads
    depend on each other are in one stratum); rules of other strata cost nothing. Planning a query takes up to
    the cube of the number of its literals and variables, which should be small. Each symbol and string is
    stored once, and never freed. {!Reading.query}, {!Reading.count} and {!Reading.holds} cost what the
    functions of these names do. {!check} is O(tuples and their derivations). *)

(** {1 The language}

    {v
edge(a, 1).                                   % a fact: symbols, integers
edge(1, "a string").
path(X, Y) :- edge(X, Y).                     % a rule
path(X, Z) :- edge(X, Y), path(Y, Z).         % recursion
far(X, Y)  :- path(X, Y), not edge(X, Y), X != Y.
path(a, X), X > 0?                            % a query
    v}

    Variables start with a capital letter or [_]; [_] alone is a wildcard. Symbols start with a small letter,
    or stand in single quotes. [/* ... */] is a comment, too. Comparisons ([= != < <= > >=]) put integers, in
    order of size, before symbols, and symbols before strings. [not p(X, _)] means that there is no such
    tuple; a predicate must not depend on its own negation. Each variable of a head, a negation or a
    comparison must occur in an atom of the body that is not negated. *)

type value = Weft_datalog.Syntax.value = Int of int | Symbol of string | String of string
type term = Weft_datalog.Syntax.term = Value of value | Variable of string | Wildcard
type atom = Weft_datalog.Syntax.atom = { predicate : string; terms : term list }
type comparison = Weft_datalog.Syntax.comparison = Equal | Different | Less | At_most | Greater | At_least

type literal = Weft_datalog.Syntax.literal =
  | Holds of atom
  | Fails of atom  (** negation *)
  | Compare of term * comparison * term

type place = Weft_datalog.Syntax.place = { line : int; column : int }

type rule = Weft_datalog.Syntax.rule = {
  head : atom;
  body : literal list;  (** empty for a fact *)
  place : place option;
}

type query = Weft_datalog.Syntax.query = { body : literal list; place : place option }
type program = Weft_datalog.Syntax.program = { rules : rule list; queries : query list }
type error = Weft_datalog.Syntax.error = { place : place option; message : string }

exception Error of error
(** What is wrong with a program, a query or a fact. *)

val error_message : error -> string
(** ["line 3, column 14: expected ',' or ')', found '.'"]. *)

val parse : string -> program
(** The program that a text describes. O(length).
    @raise Error if the text is not as above; the place is that of the first character that does not fit. *)

val parse_query : string -> query
(** The query that a text describes; its question mark may be left out. *)

val rule : atom -> literal list -> rule
(** A rule without a place. *)

val fact : string -> value list -> atom
val atom : string -> term list -> atom

val ask : literal list -> query
(** A query without a place. *)

val compare_values : value -> value -> int
(** The order that comparisons use: integers by size, then symbols, then strings, both byte by byte. *)

val value_to_string : value -> string
(** The value as the language writes it. *)

val atom_to_string : atom -> string
val literal_to_string : literal -> string
val rule_to_string : rule -> string

(** {1 Databases} *)

type t

type runner = Weft_datalog.Runner.t = { width : unit -> int; each : int -> (int -> unit) -> unit }
(** How tasks are run: this is where a scheduler comes in. [width ()] is how many can run at the same time;
    [each n f] calls [f 0], ..., [f (n - 1)] in any order and returns when all have returned. *)

val create : ?runner:runner -> program -> t
(** The database of a program's facts and of what its rules derive from them. The program's queries are
    checked, but not answered. [runner] runs parts of large evaluations; without it they run one after the
    other.

    O(the combinations of tuples that satisfy the rules' bodies).

    @raise Error
      with the place of the rule or query, for a variable that is unsafe, [_] in a head or a comparison,
      predicates with different numbers of arguments (or more than 60), or a predicate that depends on its own
      negation. *)

val of_string : ?runner:runner -> string -> t
(** [create (parse text)]. *)

(** {1 Changes}

    Predicates need not be declared. A tuple may be a fact and follow from rules as well: only facts are
    asserted and retracted. If a change raises, nothing has changed; if evaluation had begun, the next
    function that needs what follows computes all of it anew. *)

val assert_fact : t -> atom -> bool
(** Makes the atom a fact. Returns whether it was none. O(combinations that the new tuples take part in).
    @raise Error if the atom has variables or the wrong number of arguments for its predicate. *)

val retract : t -> atom -> bool
(** Makes the atom no fact. Returns whether it was one. Tuples derived from it are deleted, unless they can be
    derived otherwise. O(combinations that the deleted tuples took part in, and the search for other
    derivations of what they derived): no more than for the tuples that depend on it, which are all in the
    worst case.
    @raise Error as {!assert_fact}. *)

type change = Weft_datalog.Database.change = Assert of atom | Retract of atom

val change : t -> change array -> (bool, error) result array
(** Makes the changes one after the other, with the same results, but in one evaluation, which is faster. A
    change that would raise {!Error} has it as its result. *)

(** {1 Queries}

    The first query with constants in certain columns makes an index on these columns: O(tuples). After that,
    a query for one atom is O(the tuples with these constants), expected. These are the answers, unless the
    atom has wildcards, since tuples that differ only there are one answer, or has a variable twice:
    [path(X, _)?] and [path(X, X)?] look at all paths. *)

type answers = Weft_datalog.Reading.answers = {
  variables : string array;  (** the variables of the query, in the order in which they occur *)
  count : int;  (** how many answers there are *)
  values : value array;
      (** the values of the first answer's variables, then those of the second's...: each answer once, in no
          particular order *)
}

val rows : answers -> value array array
(** An array for each answer. *)

val query : t -> query -> answers
(** @raise Error if the query is unsafe, or gives a predicate the wrong number of arguments. *)

val count : t -> query -> int
(** How many answers there are. *)

val holds : t -> query -> bool
(** Whether there is an answer; stops at the first. O(1), expected, for one atom without variables. *)

val length : t -> string -> int
(** How many tuples a predicate has, facts or not. O(1). *)

(** Queries that change nothing, so several may run at the same time, as long as nobody changes the database.
    They return [None] if they would have to make an index, or if something must be computed first: then call
    the functions above. *)
module Reading : sig
  val query : t -> query -> answers option
  val count : t -> query -> int option
  val holds : t -> query -> bool option
end

val check : t -> unit
(** For tests: checks the representation.
    @raise Failure if something is not as it should be. *)
