(** A directory on a disk that may lose power.

    After a power failure, data that were written but not synced may be on the disk or not, each sector of 512
    bytes by itself; so may the names of new files, and the removal of files. *)

type t

exception Power_off

val make : string -> t
(** The directory as it is, with everything on the disk. *)

val system : t -> Weft_containers.Log_system.t

val set_calls : t -> int -> unit
(** After so many more changing calls, {!Power_off} is raised: in the middle of the next one, and by all
    further ones. *)

val after_power_failure : t -> Random.State.t -> Support.image
(** The files that are there after a power failure. *)
