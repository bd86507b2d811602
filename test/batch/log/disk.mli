(** A directory on a disk that may lose power.

    What has been written but not synced may be on the disk then or not, each sector of 512 bytes by itself;
    so may the names of new files, and the absence of removed ones. *)

type t

exception Power_off

val make : string -> t
(** The directory as it is, all of it on the disk. *)

val system : t -> Weft_containers.Log_system.t

val set_calls : t -> int -> unit
(** After so many more calls that change anything, {!Power_off} is raised by all, in the middle of the first.
*)

val after_power_failure : t -> Random.State.t -> Support.image
(** The files that are there then. *)
