(** Made-up trees of files, which [Weft_platform.Machine] reads. A file is its path below the root and its
    content. *)

type file = string * string

val with_tree : file list -> (root:string -> 'a) -> 'a
(** [with_tree files f] is [f ~root], where [root] is a directory that holds [files] and is removed
    afterwards. *)

val write : string -> file -> unit
(** [write root file] makes or overwrites the file, and makes its directories. *)

(** {1 The files of a system} *)

val allowed : string -> file
(** The affinity mask, as a list such as ["0-3,8"]. *)

val group : string -> file
(** The table of the groups of the process. *)

val mountinfo : string list -> file
(** The table of mounts, with these lines. *)

val other_mounts : string list
(** Lines of mounts other than control groups. *)

val v1_mount : string
val v2_mount : string

val v1 : file list -> file list
(** The tables of a process in the group [/x/y] of version 1, and these files. *)

val v2 : file list -> file list
(** The tables of a process in the group [/a/b/c] of version 2, and these files. *)

val v1_files : ?period:string -> string -> string -> file list
(** [v1_files directory quota]. *)

val v2_file : string -> string -> file
(** [v2_file directory content]. *)

val memory : string -> file list
(** The same, with this limit of memory on [/a]. *)
