(** [Domain.spawn]: what OCaml offers without a library. A domain costs far too much for every call, so the
    program cuts the work into parts, which a few domains take one after the other. *)

val contestant : Weft_bench_harness.Contestant.t
(** [domain-spawn]. Its time includes starting and ending the domains, as in such a program. *)

val sum : domains:int -> ('a -> int) -> 'a list -> int
(** [sum ~domains f parts] is the sum of [f part] over all [parts], computed by the calling domain and
    [domains - 1] new ones. Each takes the next part when it has finished one. *)

val map_ranges : domains:int -> start:int -> finish:int -> (int -> int -> 'a) -> 'a list
(** [map_ranges ~domains ~start ~finish f] is [f first last] for each of [domains] nearly equal ranges that
    make up [start] to [finish] (included), from left to right; ranges may be empty ([last < first]). The
    calling domain computes one, new domains the others. *)

val for_ : domains:int -> start:int -> finish:int -> body:(int -> unit) -> unit
(** [for_ ~domains ~start ~finish ~body] is the loop over such ranges. *)
