(** Whether memory is kept that is no longer needed. A single comparison of two counts is spoiled by chance: a
    table that doubles once, what another domain takes into the heap during a collection, a worker that comes
    back. So a growth counts only if it comes in every one of several rounds. *)

val live_words : unit -> int
(** [live_words ()] collects all garbage and returns the number of live words. Words that other domains
    allocate meanwhile count as live: measure where they have nothing to do. *)

val always_above : int -> (unit -> int) -> int option
(** [always_above most growth] is the result of the last of six calls of [growth] if all returned more than
    [most]; it is [None] after the first that did not. [growth] may count bytes, too. *)

val grows : slack:int -> (unit -> unit) -> int option
(** [grows ~slack round] calls [round] once, and then {!always_above} with [slack] and the growth of
    {!live_words} in each further round. What a round leaves is in the count that the next one starts with. *)

val resident_bytes : unit -> int option
(** What the process has in memory, as /proc says; [None] if there is no /proc. *)
