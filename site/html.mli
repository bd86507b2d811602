(** HTML as a row of tags and texts: enough to look at what odoc and cmark-gfm write, and to change some of
    it. *)

type token =
  | Open of { name : string; attributes : (string * string) list; closed : bool }
      (** [closed]: written as [<br/>]. Values of attributes are as they were written, with their entities. *)
  | Close of string
  | Text of string  (** with its entities; also the whole content of a [script] or [style] *)
  | Comment  (** or [<!DOCTYPE ...>], or [<?xml ...?>] *)

val tokens : string -> token list
(** Never fails: a [<] that begins no tag is text. *)

val print : token list -> string
(** What {!tokens} reads again; comments are left out. *)

val escape : string -> string
(** Text, or the value of an attribute, with entities for [&], [<], [>] and quotes. *)

val unescape : string -> string
(** Likewise back, of those entities and of numbers below 128. *)

val text : token list -> string
(** What a reader sees of it, without tags, unescaped. *)

val attribute : string -> (string * string) list -> string option
