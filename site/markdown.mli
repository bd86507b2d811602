(** Documents in Markdown, read by cmark-gfm. *)

val html : string -> (string, string) result
(** [html path] is a file's text as HTML, with tables; or why cmark-gfm could not be run. *)

val slugs : unit -> string -> string
(** A new namer of headings: what links to a heading call it, as on the hosts that show such documents.
    [slugs ()] applied to ["1. Fork & join"] is ["1-fork--join"]; the second time, ["1-fork--join-1"]. *)
