(** Searches over ranges of integers. *)

val any :
  ?chunk_size:int ->
  ?code:int ->
  who:string ->
  start:int ->
  finish:int ->
  (int -> int -> 'a option) ->
  'a option
(** [any ~who ~start ~finish look] is some answer of [look first last] over disjoint ranges that make up
    [start] to [finish] (included), as {!Weft_loops.Loop.blocks} makes them; [None] if none answers. No new
    range starts after an answer or an exception. An answer wins against exceptions. [code] is that of the
    user's function, which is called once for each index: see {!Known_search}. *)

val first :
  ?chunk_size:int ->
  ?code:int ->
  who:string ->
  start:int ->
  finish:int ->
  (int -> int -> 'a option) ->
  'a option
(** [first] is like {!any}, but the first answer or exception in the order of the range wins: the result is
    that of the sequential search. Ranges to the right of an answer do not start. *)
