(** What [dune] files are made of, with places, so that they can be changed without being printed anew.

    Atoms, strings (also those that run to the end of the line), lists and comments as dune's manual has them,
    for every version of its language since 1.0. *)

type span = { start : int; stop : int }
(** From the byte [start] to the byte before [stop]. *)

type t =
  | Atom of span * string
  | String of span * string  (** its source, without quotes *)
  | List of span * t list

type error = { at : int; message : string }

val read : string -> (t list, error) result
(** [read text] is all of [text], or where it is no such file. Lists may be a thousand deep. *)

val span : t -> span
