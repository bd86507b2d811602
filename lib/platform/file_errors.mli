(** Errors of files, with the name that the user knows. *)

val naming : ?opened:string -> string -> ('a -> 'b) -> 'a -> 'b
(** [naming path f x] is [f x]; what it raises of files becomes a [Sys_error] whose message begins with
    [path], once. OCaml's own names the file that was [opened], which is [path] unless given, and none once it
    is open. *)
