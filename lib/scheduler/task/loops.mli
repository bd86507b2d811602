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
      promote : 'a -> unit;  (** called by the fiber, before it is suspended *)
      outer : t;
      mutable is_promoted : bool;  (** then the outer ones are promoted, too *)
    }
      -> t  (** innermost first *)

val here : Job.task Deque.t -> t
(** The loops that the fiber on this deque's worker, which is the caller's, has entered since it was last
    suspended. *)

val set : Job.task Deque.t -> t -> unit
(** To enter a loop, and to leave it. A plain store. The deque must not be
    {!Weft_platform.Deque_memory.nowhere}. *)

val promote : t -> unit
