(** Cuts texts into tokens. *)

type token =
  | Name of string  (** starts with a small letter *)
  | Variable of string  (** starts with a capital letter, or with [_] and is longer *)
  | Underscore
  | Not
  | Int of int
  | String of string
  | Quoted of string  (** in single quotes *)
  | Left
  | Right
  | Comma
  | Dot
  | Question
  | Implies  (** [:-] *)
  | Compare of Syntax.comparison
  | End  (** the end of the text; returned again and again *)

type t
(** A place in a text. *)

val create : string -> t

val next : t -> token * Syntax.place
(** The next token, and where it starts. Blanks and comments ([% ...] to the end of the line, [/* ... */]) are
    skipped. O(length of the token and what is skipped).

    @raise Syntax.Error where no token starts, or where one breaks off. *)

val describe : token -> string
(** For messages: ["','"], ["the name edge"], ["the end of the text"]. *)
