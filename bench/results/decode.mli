(** Reads JSON, with messages that name the place of an error in the file. *)

type t
(** A JSON value, and its path from the root, such as [rows[3].seconds[0]]. *)

exception Bad of string
(** One line: the path and what is wrong there. All functions below raise it for unexpected values. *)

val root : Yojson.Safe.t -> t

val fail : t -> string -> 'a
(** [fail t what] says that [what] is wrong at [t]. *)

val path : t -> string
(** The path of the value; empty for the root. *)

(** {1 Objects and lists} *)

val has : t -> string -> bool
(** [has t key] tells whether [t] is an object with that key. *)

val field : t -> string -> t
(** [field t key] is the value of [key]. An object may not have a key twice. *)

val field_or : default:'a -> (t -> 'a) -> t -> string -> 'a
(** [field_or ~default get t key] is [get] of the value of [key], or [default] if it is not there. *)

val fields : t -> (string * t) list
val list : (t -> 'a) -> t -> 'a list

val some : (t -> 'a) -> t -> 'a list
(** [some get t] is a list that is not empty. *)

val nullable : (t -> 'a) -> t -> 'a option
(** [nullable get t] is [None] for null. *)

(** {1 Values} *)

val bool : t -> bool

val string : t -> string
(** Text without control characters. *)

val one_of : (string * 'a) list -> t -> 'a
(** [one_of names t] is the value that the text [t] has in [names]. *)

val int : ?least:int -> ?greatest:int -> t -> int
(** [int ~least ~greatest t] is a whole number of at least [least] (default: [min_int]) and at most [greatest]
    (default: [max_int]). *)

val number : t -> float
(** A finite number. *)

val above_0 : t -> float
(** A finite number above 0. *)

val positive : t -> float
(** A finite number that is neither negative nor [-0.]. *)
