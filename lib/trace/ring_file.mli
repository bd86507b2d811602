(** The file in which OCaml's runtime keeps the rings of a process, [PID.events], and copies of it.

    First comes a head of eight words of 64 bits; then, for each ring, the positions at which its oldest event
    begins and its newest ends, in words written since the start; then the rings, which are arrays of words;
    last the names of user events. [runtime/runtime_events.c] of OCaml describes it.

    The runtime writes into the file while it is read. A writer moves the beginning of the oldest event before
    it overwrites that, and the end after it has written. So what lies between the end that was read before
    some words and the beginning that was read after them was whole meanwhile. The runtime stores both
    positions with release order. On x86 no store overtakes an earlier one, and no load an earlier load, so
    that suffices. A weaker machine, such as ARM, may let the words be stored before the beginning: OCaml's
    own reader relies on the same order there.

    An OCaml whose names take less room than that of today would look as if it had not made its file yet. *)

type head = private {
  rings : int;  (** how many the file has room for: one for each domain *)
  words : int;  (** of a ring: a power of two *)
  positions_size : int;  (** bytes of the positions of a ring *)
  positions_at : int;  (** where they begin *)
  rings_at : int;
  names_at : int;  (** where the names of user events begin, which is the last part of the file *)
}

val head : string -> head option
(** The head of the file of that path. [None]: it cannot be read; the runtime is still making it; or it is no
    such file, or cut short: all parts are within the file if there is a head. *)

val copy : ?after_words:(int -> unit) -> string -> out_channel -> unit
(** [copy path out] writes such a file with what is in [path] now, but for the rings into which nobody has
    ever written. [out] must be a file, at its beginning.

    A ring of which more than half is overwritten while it is read, since this thread loses its processor, is
    read again, up to ten times. [after_words] is called, with the number of a ring, whenever its words have
    been read: for tests, which overwrite some then.

    {b Cost.} O(size of the rings in use). It blocks the thread, but other domains go on: a collection need
    not wait for it.
    @raise Sys_error if [path] cannot be read or has no head, or [out] not be written. *)

val overwritten : string -> int list
(** The rings of that copy of which nothing is left, since their domains have overwritten all of them
    meanwhile.
    @raise Sys_error if it cannot be read. *)
