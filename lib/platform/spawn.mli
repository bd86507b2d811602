(** Starting programs, as [Unix.create_process] does (POSIX's [posix_spawnp]), and in a process group of their
    own, for which [Unix] has no call. *)

type redirection = { stdin : Unix.file_descr; stdout : Unix.file_descr; stderr : Unix.file_descr }
(** What the program gets as its descriptors 0, 1 and 2. All of these are beyond 2: none overwrites another.
*)

val start : env:string array option -> group:bool -> redirect:redirection -> string array -> int
(** [start ~env ~group ~redirect command] starts the program [command.(0)], looked for in our PATH, with these
    arguments, and is its number. It has the environment [env], or ours. It leads a new process group with its
    own number if [group]; that is there when [start] returns. The signals that we ignore or mask, it ignores
    or masks. Other descriptors than these three it gets unless they are closed on exec.
    @raise Unix.Unix_error [ENOENT] and the like. *)
