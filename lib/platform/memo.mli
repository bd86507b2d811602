(** Values that are computed when they are first asked for, by any domain. *)

val once : (unit -> 'a) -> unit -> 'a
(** [once f] is a function whose result is that of the first [f ()] that returns. Unlike [lazy], it keeps no
    exception: one who asks later must not get the full stack of another. *)
