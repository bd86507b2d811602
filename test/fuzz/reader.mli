(** What reads files that somebody else may have written, and all that is shown of them. *)

type t = {
  name : string;
  seeds : string list;  (** correct files *)
  read : string -> (unit, string) result;
      (** [read text] reads a file with this text and makes everything of it that is shown or written. [Error]
          is what the user is told. What must not happen, it raises. *)
}

val all : t list
val trace : t
val results : t
val profile : t
val schedule : t

val check_shown : string -> unit
(** Each line of what a terminal shows is a {!Weft_files.Foreign_text.line}.
    @raise Failure otherwise. *)

val corpus : string -> string
(** The file of that name in [corpus]. *)

val log_system : Weft_containers.Log_system.t
(** The real one, which does not wait for the disk. *)

val first_segment : string
(** The name of a log's first file. *)
