(** A sequentially consistent read of an element that {!Atomic_words} writes.

    On x86 a plain load is one, if the writes are locked instructions. Only the compiler might use an earlier
    load again, of the element or of what the read makes visible: not behind [Sys.opaque_identity], where it
    forgets what it has loaded. Elsewhere, and for ThreadSanitizer, it is a call in C. [test/asm] looks at the
    machine code. *)

val get : int array -> int -> int
