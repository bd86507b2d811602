(** Source files and folders that documents link to, as pages of their own. *)

type t

val create : root:string -> t
(** For the repository at [root]. *)

val address : t -> string -> string option
(** [address sources path] is where the page of a file or folder of the repository will be; [None] if there is
    no such file. *)

val write : t -> out:string -> unit
(** Writes the pages that {!address} has promised, and those of all files in promised folders. *)
