(** Prefix sums, in blocks that depend on the length alone.

    First every block is reduced from the left, then the sums of the blocks are added up one after the other,
    then every block is written from its left neighbours' sum (Blelloch, Prefix sums and their applications,
    1990). A worker alone sums each block and writes it while it is in the cache, before the next one; if a
    block suspends, the others go through the three steps. So the function is called twice for most elements,
    in the same way whatever the number of domains: floats come out with the same bits. *)

val run :
  who:string ->
  length:int ->
  sum:(int -> int -> 'a) ->
  write:('a option -> int -> int -> unit) ->
  ('a -> 'a -> 'a) ->
  init:'a option ->
  unit
(** [run ~who ~length ~sum ~write combine ~init] calls [sum first last] for the blocks of 0 to [length - 1]
    (included) but the last, and [write before first last] for each, where [before] is [init] combined with
    the sums of all blocks to the left. [None] stands for nothing to combine with. [length] must not be
    negative. *)
