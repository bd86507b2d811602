val files : (string * string) list
(** The paths and texts of the project that [weft new] makes. [$(NAME)] stands for its name in the texts,
    [$(VERSION)] for the version of Weft. *)
