val all : (string * string) list
(** What the build knows of the versions of other libraries, by the names of the methods that use them. A
    library of Debian that is in the tree ([make rivals]) has the version of its package. *)
