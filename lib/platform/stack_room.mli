(** Room on the stack of the present fiber, for operations that must not be ended in their middle.

    OCaml raises [Stack_overflow] in the function that finds the stack full, whatever it is doing. So an
    operation that takes a lock, settles a promise, suspends or joins makes sure of room before it begins. The
    tests {e full stacks} of [test/weft] and {e stopped} of [test/batch/core] call each at the end of a stack.
*)

val step : int
(** The words that taking a lock, settling a promise or suspending needs. *)

val call : int
(** The words that an operation of several such steps needs; that is enough for each step. *)

val deep : int
(** The words that an operation needs that forks or starts threads between two changes that belong together:
    the batch of a structure, a blocking call. *)

val ensure : int -> unit
(** The stack has room for so many words when this returns: one that has reached the limit
    ([OCAMLRUNPARAM=l=...]) grows beyond it for that, once, to less than four times the limit. In a thread
    that is no worker, at least {!deep}. Costs a nanosecond or two, five at the limit, and needs no room
    itself.
    @raise Stack_overflow if it does not. *)
