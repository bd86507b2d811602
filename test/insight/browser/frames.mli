(** The time that frames of the timeline take, in a browser that shows the page. *)

type times = { mean : float; p50 : float; p90 : float; max : float }
(** ms *)

type t = {
  events : int;  (** events on the page *)
  load : float;  (** ms until the page had loaded, with all its events *)
  frames : times;  (** times from frame to frame, as [requestAnimationFrame] reports them *)
  draws : times;  (** times of drawing alone *)
  search : float;  (** ms to search for the name of a third of the events *)
}

val measure : Chromium.t -> int -> t
(** [measure browser n] zooms in from the whole trace to a thousandth of it, pans, and zooms out again, in [n]
    frames. *)

val of_large_trace : Chromium.t -> events:int -> (unit -> 'a) -> 'a
(** [of_large_trace browser ~events f] is [f ()] while the browser shows the page of a made-up trace of about
    so many events. *)
