(** The files of a project: its folders, without those that dune does not build or that are not its own.

    Not entered: [_build] and other folders that begin with [_] or a dot, [node_modules]; folders that a
    [dune] file calls [vendored_dirs] or [data_only_dirs], or that are called [vendor], [vendored] or
    [duniverse]; copies of domainslib itself; symbolic links, so that there are no loops, and nothing outside
    is touched. *)

type kind =
  | Dune
  | Dune_project
  | Opam
  | Opam_lock  (** [opam.locked], which opam writes *)
  | Makefile
  | Ocaml  (** scripts and [.ocamlinit], too *)

type file = { path : string;  (** from the root *) kind : kind }
type left_out = { path : string; why : string }

type t = {
  files : file list;  (** by path *)
  left_out : left_out list;  (** what a user might look for among [files] *)
  trouble : left_out list;  (** what could not be read *)
}

val read : string -> (t, string) result
(** [read folder] is the project in [folder]. [Error] is one line: no such folder, no [dune-project] in or
    below it. Files larger than {!greatest} are left out. *)

val greatest : int
(** Bytes. *)

val text : string -> file -> (string, string) result
(** [text root file] is what is in it. [Error] is the reason in one line. *)
