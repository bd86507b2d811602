(** What the file of a program says of the Weft in it. *)

type t = {
  version : string;  (** of Weft *)
  profile : string;  (** the dune profile in which Weft was built, such as ["release"] *)
}

val read : string -> (t option, string) result
(** [read path] looks for the line that [lib/weft/build_mark.mli] puts into every program that contains Weft.
    [None] if there is none: it contains no Weft, or one older than 0.1.0. [Error] is the reason why the file
    cannot be read, in a line without its name. Proportional to the size of the file, of which 64 KiB are kept
    at a time. *)
