(** Made-up folders of pages, and helpers that check them. *)

val with_folder : (string * string) list -> (string -> 'a) -> 'a
(** [with_folder files f] is [f folder], where [folder] has these files (paths and contents) and is removed
    afterwards. *)

val contains : string -> string -> bool
(** [contains part text]. *)

val contain : string -> string -> unit
(** [contain part text] fails if [part] is not in [text]. *)

val spec : string -> string -> string
(** [spec id comment] is odoc's form of the item with that anchor; [""]: without a comment. *)

val alias : string -> string -> string
(** [alias name address] is odoc's form of [module Name = ...], whose page is at [address]. *)
