(** A folder that is filled with files all at once. Other files in it stay untouched. The file {!list_name}
    lists the files that are ours: the next call replaces them, and removes those that it does not make again.
*)

val list_name : string
(** The name of the file that lists our files, one a line. *)

val fill : string -> names:string list -> (string -> (unit, string) result) -> (unit, string) result
(** [fill folder ~names build] makes [folder] if it does not exist (its parent must exist), and puts the files
    [names] into it. [build place] must make them in the folder [place]; other files that it leaves there are
    removed. The files are moved only after [build] has succeeded. If [folder] is new, all appear at once;
    else one after the other, in the order of [names].

    [Error] is one line for the user: the error of [build], or the folder cannot be written, or one of [names]
    exists and is not ours. Then the folder is as before (unless the system fails while the files are moved).
    An exception of [build] is raised again, and no file is left.
    @raise Invalid_argument if one of [names] is not the plain name of a file. *)
