(** Parsers for the command line of [weft bench]. Each error message is one line that quotes what was given
    and says what is accepted. *)

open Cmdliner

val number : what:string -> least:int -> ?greatest:int -> unit -> int Arg.conv
(** [number ~what ~least ~greatest ()] is an integer from [least] to [greatest] (default: no limit); [what]
    names it in the message. *)

val cutoff : int option Arg.conv
(** A number from 1; [none] and [default] both stand for [None]. *)

val named : ?why_not:(string -> string option) -> what:string -> name:('a -> string) -> 'a list -> 'a Arg.conv
(** [named ~what ~name values] is the one of [values] with the given name. [why_not text] (default: [None]) is
    why there is no value of the name [text], if that is known. *)

val one_of : what:string -> (string * 'a) list -> (string * 'a) Arg.conv
(** [one_of ~what values] is the value with the given name, and the name. The error message lists all names.
*)

val distinct : 'a Arg.conv -> 'a list Arg.conv
(** [distinct c] is a comma-separated list of [c], no two of which are printed the same. *)

val repeated : ('a -> 'a -> bool) -> 'a list -> ('a * 'a) option
(** [repeated same values] is the first of [values] that occurs twice, and its other occurrence. *)

(** {1 Numbers of domains} *)

(** A number of domains as it is given. *)
type domains = Number of int | Times of int  (** a multiple of the number of processors: ["2x"] *)

val domains : domains Arg.conv
(** A number from 1 to what OCaml allows, or a multiple of the processors. *)

val all_domains : processors:int -> domains list -> (int list, string) result
(** [all_domains ~processors chosen] is the numbers themselves, each once. [Error] is one line for the user: a
    multiple that is too great. *)

val sweep_of_domains : processors:int -> int list
(** [sweep_of_domains ~processors] is 1, 2, 4 and so on, up to [processors], and twice and four times as many,
    as far as OCaml allows. *)
