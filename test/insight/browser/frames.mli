(** How long frames of the timeline take, in a browser that shows the page. *)

type times = { mean : float; p50 : float; p90 : float; max : float }
(** ms *)

type t = {
  events : int;  (** that the page holds *)
  load : float;  (** ms, until the page was there, with all its events *)
  frames : times;  (** from frame to frame, as [requestAnimationFrame] sees it *)
  draws : times;  (** drawing alone *)
  search : float;  (** ms, for what a third of the events are called *)
}

val measure : Chromium.t -> int -> t
(** [measure browser n] zooms in from the whole trace to a thousandth of it, moves, and zooms out again, in
    [n] frames. *)

val of_large_trace : Chromium.t -> events:int -> (unit -> 'a) -> 'a
(** [of_large_trace browser ~events f] is [f ()] while the browser shows the page of a made-up trace of about
    so many events. *)
