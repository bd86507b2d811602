(** Programs from texts.

    {v
program   ::= statement*
statement ::= atom .                          a fact
            | atom :- literals .              a rule
            | literals ?                      a query
literals  ::= literal , ... , literal
literal   ::= atom | not atom | term comparison term
atom      ::= name | name ( term , ... , term )
term      ::= variable | _ | integer | "string" | name | 'symbol'
comparison ::= = | != | < | <= | > | >=
    v}

    Names start with a small letter, variables with a capital letter or [_]. *)

val program : string -> Syntax.program
(** The statements of a text. O(length).
    @raise Syntax.Error at the first token that is not as above. *)

val query : string -> Syntax.query
(** The query of a text; its question mark may be left out.
    @raise Syntax.Error as {!program}. *)
