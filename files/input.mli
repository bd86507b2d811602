(** Files that the commands of weft read, in whatever form they come.

    A name is a path, or ["-"], standard input. What is compressed by gzip is decompressed on the way, by the
    program [gzip], as long as that is not suspiciously much ({!greatest_ratio}); a UTF-8 byte order mark is
    passed over. What is in another form (zstd, xz, bzip2, zip, UTF-16) is refused with a line that says what
    to do. So is what may have no end: devices, but for terminals and [/dev/null], and a named pipe into which
    nobody writes for 2 s.

    Every reason is one line for the user, without the name of the file and without a newline. *)

type t
(** A file that is being read. *)

exception Unreadable of string
(** The reason why what follows cannot be read. *)

val with_file : string -> (t -> 'a) -> ('a, string) result
(** [with_file name f] is [f] of the file of that name. [Error] is the reason why it cannot be read: it cannot
    be opened, is a folder or a device, or what {!Unreadable} had to say. Standard input stays open. *)

val read : t -> bytes -> int -> int -> int
(** [read t bytes at n] puts at most [n] bytes into [bytes], from [at] on, and is how many; 0 at the end, if
    [n] is above 0. Blocks the calling thread.
    @raise Unreadable
      if the system or [gzip] fails: also at the end of what has been cut short while compressed. *)

val greatest_ratio : int
(** What has been compressed by more than this, 200, and is longer than 64 MiB, is {!Unreadable}: a small file
    shall not fill the memory. Traces of weft are compressed by 10 to 30. *)

val starts_with : t -> string -> bool
(** [starts_with t prefix] tells whether [prefix], of at most 8 bytes, comes first in the file, decompressed
    and without its byte order mark. To be asked before {!read}. *)

val contents : most:int -> t -> string
(** [contents ~most t] is all that is left.
    @raise Unreadable
      as {!read}, and if that is more than [most] bytes: it is not read further then, since a device may have
      no end. *)

val shown : string -> string
(** [shown name] is how to call the file in a line for the user: ["standard input"] for ["-"], ["''"] for an
    empty name, and else the name, as a {!Foreign_text.line}. *)

val one_stdin : string list -> (unit, string) result
(** [one_stdin names] is an [Error] if more than one is ["-"]. *)
