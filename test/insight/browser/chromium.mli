(** A headless Chromium, driven by the DevTools protocol over two pipes. *)

type t

val find : unit -> string option
(** The program, if the machine has one. *)

val start : string -> t
(** Starts that program with a new profile, in a window of 1280 x 800. *)

val stop : t -> unit
(** Ends the program, and removes its profile. *)

val call : t -> string -> (string * Yojson.Safe.t) list -> Yojson.Safe.t
(** [call t method_ parameters] is the result. Raises an exception if there is none within 60 seconds, or if
    the browser reports an error. *)

val open_page : t -> string -> unit
(** Opens the address; returns when the page has loaded. *)

val eval : t -> string -> Yojson.Safe.t
(** The value of a JavaScript expression; if it is a promise, its result. Raises [Failure] if it throws. *)

val errors : t -> string list
(** The exceptions that pages have thrown so far, and the errors that they wrote to the console. *)

val screenshot : t -> string -> unit
(** Saves a screenshot as a PNG file. *)

val size : t -> ?touch:bool -> ?ratio:float -> int -> int -> unit
val dark : t -> bool -> unit

val key : t -> string -> unit
(** Presses a key, named as ["n"] or ["Escape"]. *)

val wheel : t -> x:float -> y:float -> float -> unit
(** Scrolls down by so many pixels. *)

val click : t -> x:float -> y:float -> unit
val drag : t -> from:float * float -> until:float * float -> unit

val pinch : t -> x:float -> y:float -> float -> unit
(** Moves two fingers so many times further apart. *)
