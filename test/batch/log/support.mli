(** Directories and logs for tests. *)

module Log = Weft_containers.Log_file

val test : string -> (unit -> unit) -> unit Alcotest.test_case

val in_directory : ?on_disk:bool -> (string -> 'a) -> 'a
(** The path of a new directory, inside one that is removed at the end. *)

val read_file : string -> string
val write_file : string -> string -> unit

type image = (string * string) list
(** Files of a directory: names and contents. The lock is left out. *)

val image : string -> image

val restore : string -> image -> unit
(** Makes the directory contain these files only. *)

val set : image -> string -> string -> image
(** The image with this content for the file. *)

val last : image -> string * string
(** The last segment: its name and content. *)

val flip : string -> int -> int -> string
(** [flip s i mask] is [s] with the bits of [mask] changed in byte [i]. *)

val contents : Log.t -> string list

val quick : Weft_containers.Log_system.t
(** The real system, except that it does not wait for the disk. *)

val opened : ?system:Weft_containers.Log_system.t -> ?segment_size:int -> string -> (Log.t -> 'a) -> 'a
(** Opens the log, and closes it at the end. The system is {!quick} by default. *)

val killed : ?segment_size:int -> string -> (Log.t -> unit) -> image
(** The files as the function left them, without {!Log.close}, as after a kill. *)

val check_strings : string -> string list -> string list -> unit

val damaged : string -> (string * int) option
(** Opens the log and reads all of it: the file and offset of the reported damage. *)
