(** The pages, all of them. *)

val all : root:string -> doc:string -> out:string -> (string list, string) result
(** [all ~root ~doc ~out] makes the folder [out] anew, from the documents of the repository at [root] and what
    dune has made of the interfaces in [doc] ([_build/default/_doc]). [Ok problems]: what is wrong with the
    pages, one line each; they are there all the same. [Error]: why there are none, and [out] is as it was. *)
