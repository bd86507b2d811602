(** A folder that is filled with files all at once. It may have other files in it: those are left alone. Which
    files are ours is in one more, {!list_name}: they are replaced the next time, and removed if they are not
    made again. *)

val list_name : string
(** The name of the file that lists ours, one a line. *)

val fill : string -> names:string list -> (string -> (unit, string) result) -> (unit, string) result
(** [fill folder ~names build] makes [folder], if need be (its parent must be there), and puts the files
    [names] into it. [build place] has to make them in the folder [place]; what else it leaves there is thrown
    away. Only when it has succeeded are they moved. If [folder] is new, all appear at once; else one after
    the other, in the order of [names].

    [Error] is one line for the user: [build]'s own; a folder that cannot be written; one of [names] is there
    and not ours. Then the folder is as before (unless the system fails in the middle of the moving). What
    [build] raises is raised again, and nothing left.
    @raise Invalid_argument if one of [names] is not the plain name of a file. *)
