(** The loops that a fiber is in.

    The rest of a loop does not wait for a body that waits: when a fiber is about to be suspended, the loops
    that it is in are {e promoted}, once. They make forks of their remaining iterations, which other fibers
    run. (As in Acar, Chargueraud, Guatto, Rainey and Sieczkowski, Heartbeat Scheduling, PLDI 2018, where
    promotion happens from time to time.) So bodies that wait overlap on one domain as they do on several, and
    a loop whose bodies do not wait makes no forks for that. *)

type t =
  | No_loop
  | Loop : {
      state : 'a;
      promote : 'a -> 'b Job.state -> unit;
          (** called before the fiber is suspended. Forks are made in [context], since the body may wait in an
              inner one, which counts for that body alone *)
      context : 'b Job.state;  (** that the loop was entered in: its forks are made there *)
      outer : t;
      mutable is_promoted : bool;  (** then the outer ones are promoted, too *)
    }
      -> t  (** innermost first *)

val here : Job.task Deque.t -> t
(** The loops that the fiber on this deque's worker, which is the caller's, has entered since it was last
    suspended. *)

val set : Job.task Deque.t -> t -> unit
(** To leave a loop, or to enter it again. A plain store. The deque must not be
    {!Weft_platform.Deque_memory.nowhere}. *)

val make : Job.task Deque.t -> outer:t -> 'a -> ('a -> 'b Job.state -> unit) -> t
(** [make deque ~outer state promote] is a loop in [outer], and in the caller's current context. *)

val enter : Job.task Deque.t -> outer:t -> 'a -> ('a -> 'b Job.state -> unit) -> unit
(** To {!make} a loop and enter it. *)

val promote : t -> unit
