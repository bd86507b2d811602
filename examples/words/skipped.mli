(** Files that are not counted, with the reasons. *)

type reason =
  | Binary  (** a NUL byte among its first 8,192 bytes *)
  | Not_regular  (** a pipe, a socket or a device: reading it might never end *)
  | Unreadable of string  (** the operating system's message *)

type t = { path : string; reason : reason }

val compare : t -> t -> int
(** Orders by path. *)

val to_string : t -> string
(** One line without its end: the path, made printable ({!Console.Printable.name}), and the reason. *)
