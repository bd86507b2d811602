(** The first field of a record, used as an atomic.

    OCaml 5.2 and 5.3 have no atomic record fields; a separate [Atomic.t] would cost a fork three more words
    and one more read. An [Atomic.t] is a block whose field 0 is the value, so a block whose field 0 is to be
    atomic can be used in its place. The field must be mutable, so that the compiler does not take its value
    for granted, and not a [float]. [test/platform] checks the layout. From OCaml 5.4 on, [[\@atomic]] fields
    can replace this module. *)

external get : 'record -> 'field = "%atomic_load"
external compare_and_set : 'record -> 'field -> 'field -> bool = "%atomic_cas"
external exchange : 'record -> 'field -> 'field = "%atomic_exchange"
