(** A sequentially consistent read of an element that {!Atomic_words} writes.

    On x86 a plain load is one, if the writes are locked instructions. Only the compiler might use an earlier
    load again, behind another read: not if it cannot know that the array is the same. Elsewhere, and for
    ThreadSanitizer, it is a call in C. [test/asm] looks at the machine code. *)

val get : int array -> int -> int
