val all : (string * string) list
(** The versions of other libraries, as the build knows them, by the names of the methods that use them. A
    library of Debian that is in the tree ([make rivals]) has the version of its package. *)
