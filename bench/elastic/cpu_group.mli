(** Control groups with a CPU quota, made for one run and removed after it. Both versions are supported. The
    process must be allowed to make a group beneath its own group or beneath an ancestor of that.

    The settings of other groups do not change: where groups of version 2 do not pass the CPU controller on,
    no quota can be set. *)

val with_quota : ?root:string -> processors:float -> (string -> 'a) -> ('a, string) result
(** [with_quota ~processors f] is [f directory], where [directory] is the directory of a new group that may
    use the time of so many processors. The group is removed when [f] has returned or raised; by then its
    processes must have ended. [Error] says in a few words why there is no such group. [root] (default ["/"])
    is the folder that holds [proc] and that mount points are relative to. *)

val join : string -> unit
(** [join directory] puts the calling process, with all its threads, into that group.
    @raise Sys_error if the system does not allow it. *)

val directories : ?root:string -> unit -> string list
(** The directories beneath which a group could be made, best first. *)
