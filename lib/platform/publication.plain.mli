(** A first field that one domain writes and others read, with what it has written before.

    The fence modes order such a write before the writer's next one ({!Membarrier}): on x86 every store is a
    release; elsewhere the writer issues a barrier before it. So a plain store is enough, and the fork's fast
    path has one. ThreadSanitizer knows nothing of that: with a compiler that instruments for it, the field is
    atomic, so that it sees what is ordered.

    Primitives, since no safepoint may come with them, in the development profile either, where functions of
    other modules are called: what ends by a call begins with a safepoint. *)

external read : 'record -> int = "%field0"
external write : 'record -> int -> unit = "%setfield0"
