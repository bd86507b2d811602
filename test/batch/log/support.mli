(** Directories and logs for tests. *)

module Log = Weft_containers.Log_file

val test : string -> (unit -> unit) -> unit Alcotest.test_case

val in_directory : ?on_disk:bool -> (string -> 'a) -> 'a
(** The path of a directory that does not exist yet, in one that is removed at the end. *)

val read_file : string -> string
val write_file : string -> string -> unit

type image = (string * string) list
(** Files of a directory: names and contents. The lock is left out. *)

val image : string -> image

val restore : string -> image -> unit
(** Makes the directory contain these files only. *)

val set : image -> string -> string -> image
(** Another content. *)

val last : image -> string * string
(** The last segment. *)

val flip : string -> int -> int -> string
(** [flip s i mask] is [s] with the bits of [mask] changed in byte [i]. *)

val contents : Log.t -> string list

val quick : Weft_containers.Log_system.t
(** The real system, but nothing waits for the disk. *)

val opened : ?system:Weft_containers.Log_system.t -> ?segment_size:int -> string -> (Log.t -> 'a) -> 'a
(** Opens the log, and closes it at the end. The system is {!quick} unless one is given. *)

val killed : ?segment_size:int -> string -> (Log.t -> unit) -> image
(** The files as the function left them, without {!Log.close}: as after a kill. *)

val check_strings : string -> string list -> string list -> unit

val damaged : string -> (string * int) option
(** Opens the log and reads it all: the file and offset of the damage that is reported. *)
