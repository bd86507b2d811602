(** Control groups with a CPU quota, made for one run and removed after it. Both versions are known; the
    process must be allowed to make a group beneath its own, or beneath one of that one's ancestors.

    Nothing is switched on for other groups: where those of version 2 do not pass the CPU controller on, there
    is no quota to be had. *)

val with_quota : ?root:string -> processors:float -> (string -> 'a) -> ('a, string) result
(** [with_quota ~processors f] is [f directory], where [directory] is that of a new group that may use so many
    processors' time; it is removed when [f] has returned or raised. By then its processes must have ended.
    [Error] says in a few words why there is no such group. [root] (default ["/"]) is where [proc] is, and
    what mount points are relative to. *)

val join : string -> unit
(** [join directory] puts the calling process, all threads, into that group.
    @raise Sys_error if it is not allowed to. *)

val directories : ?root:string -> unit -> string list
(** The directories beneath which a group could be made, best first. *)
