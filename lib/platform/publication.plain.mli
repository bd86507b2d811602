(** A first field that one domain writes and others read, together with what was written before.

    The fence modes order such a write before the writer's next one ({!Membarrier}): on x86 every store is a
    release; elsewhere the writer issues a barrier before it. So a plain store is enough, and the fork's fast
    path has one. ThreadSanitizer does not know that: with a compiler that instruments for it, the field is
    atomic, so that it sees the order.

    Primitives, since no safepoint may come with them, in the development profile either: there, functions of
    other modules are called, and a call ends with a safepoint. *)

external read : 'record -> int = "%field0"
external write : 'record -> int -> unit = "%setfield0"
