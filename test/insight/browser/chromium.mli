(** A headless Chromium, driven by the DevTools protocol over two pipes. *)

type t

val find : unit -> string option
(** The program, if the machine has one. *)

val start : string -> t
(** Of that program, with a new profile, in a window of 1280 x 800. *)

val stop : t -> unit
(** Ends it, and removes its profile. *)

val call : t -> string -> (string * Yojson.Safe.t) list -> Yojson.Safe.t
(** [call t method_ parameters] is the result; an exception if there is none within 60 seconds, or the browser
    says no. *)

val open_page : t -> string -> unit
(** The address, until it has loaded. *)

val eval : t -> string -> Yojson.Safe.t
(** The value of a JavaScript expression; if it is a promise, what comes of it. Raises [Failure] if it throws.
*)

val errors : t -> string list
(** What pages have thrown, or written to the console as errors, so far. *)

val screenshot : t -> string -> unit
(** To a PNG file. *)

val size : t -> ?touch:bool -> ?ratio:float -> int -> int -> unit
val dark : t -> bool -> unit

val key : t -> string -> unit
(** A key by its name, such as ["n"] or ["Escape"]. *)

val wheel : t -> x:float -> y:float -> float -> unit
(** Down by so many pixels. *)

val click : t -> x:float -> y:float -> unit
val drag : t -> from:float * float -> until:float * float -> unit

val pinch : t -> x:float -> y:float -> float -> unit
(** Two fingers, so many times further apart. *)
