(** Searches of a few indices that need not be divided at once.

    A loop begins by reading clocks and making forks, which takes longer than to look at a few indices. Where
    a loop would not be divided at first either, since nobody could take a part, or since this worker's deque
    has many jobs already, a short search looks at the indices in turn, without a clock. It looks at the deque
    in between: where thieves have emptied it, the rest is searched by a loop.
    [weft bench arrays_short_searches] shows what that saves. *)

val first : look:(int -> int -> 'a option) -> by_loop:(int -> 'a option) -> int -> int -> 'a option
(** [first ~look ~by_loop start finish] is the first answer of [look], or exception, in order. [by_loop i]
    searches from [i] to [finish]: from [start] on, if the search is not short. *)

val any : look:(int -> int -> 'a option) -> by_loop:(int -> unit) -> int -> int -> unit
(** [any ~look ~by_loop start finish] calls [look] until it answers. [by_loop i] does so from [i] to [finish],
    until [look] has answered anywhere. It also runs in a fork, when the fiber is suspended
    ({!Weft_scheduler.Loops}), so that what is left does not wait. *)
