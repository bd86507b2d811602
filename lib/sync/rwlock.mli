(** Read-write locks: any number of readers, or one writer.

    Usable by fibers of any pool and threads of any domain, all at once. A fiber may suspend and move to
    another domain while it holds the lock, either way.

    {b Fair.} There is one queue for readers and writers: a reader that comes while somebody waits goes to its
    end, and readers that stand together in the queue enter together. So neither side starves the other. The
    price: readers wait behind a writer that waits itself, though the lock is being read. And as with
    {!Weft.Mutex}, nobody uses the lock between the hand-over and the moment at which its next holder runs.

    {b Not twice.} A fiber that holds the lock for reading must not lock it again: it waits for itself if a
    writer waits in between, or if it wants to write. A fiber that holds it for writing and locks it again
    gets [Invalid_argument].

    {b Cancellation and time-outs} end a wait, and the waiter leaves the queue, in O(1); fibers that it alone
    held up enter. If the lock was handed over at that very moment, the wait ends well.

    {b No poisoning.} {!read} and {!write} unlock if their function raises.

    {b Cost.} Each function is O(1); who lets several readers enter takes O(these). As long as nobody waits,
    one compare-and-set each to lock and to unlock. All use the same word; so on many domains, reading
    sections of less than a microsecond gain nothing over a {!Weft.Mutex}. Signal handlers must not use it. *)

type t

val create : unit -> t
(** A lock that nobody holds. *)

val named : string -> t -> t
(** [named name l] is [l], which traces and their reports call [name] from now on. O(1). *)

val read : t -> (unit -> 'a) -> 'a
(** [read l f] is [f ()], called with [l] held for reading. *)

val write : t -> (unit -> 'a) -> 'a
(** [write l f] is [f ()], called with [l] held for writing. *)

val read_lock : ?timeout:float -> t -> unit
(** [read_lock l] waits until the caller holds [l] for reading, with others perhaps. Suspends, unless [l] is
    free or being read, and nobody waits.
    @raise Invalid_argument if the caller holds [l] for writing.
    @raise Weft.Cancel.Timeout if that takes longer than [timeout] seconds. *)

val read_unlock : t -> unit
(** [read_unlock l] gives up what {!read_lock} gave. Never suspends. Readers are counted, not known: any fiber
    can do it for another.
    @raise Invalid_argument if nobody holds [l] for reading. *)

val write_lock : ?timeout:float -> t -> unit
(** [write_lock l] waits until the caller, alone, holds [l]. Suspends, unless [l] is free.
    @raise Invalid_argument if the caller holds [l] for writing already.
    @raise Weft.Cancel.Timeout if that takes longer than [timeout] seconds. *)

val write_unlock : t -> unit
(** [write_unlock l] gives up what {!write_lock} gave. Never suspends.
    @raise Invalid_argument if the caller does not hold [l] for writing. *)

val try_read_lock : t -> bool
(** [try_read_lock l] locks [l] for reading if it is free or being read, and nobody waits; and tells whether
    it did. Never waits. *)

val try_write_lock : t -> bool
(** [try_write_lock l] locks [l] for writing if it is free, and tells whether it did. Never waits. *)
