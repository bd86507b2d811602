(** Who waits for what, where and since when, of a program that runs. *)

(** Who has a mutex. *)
type holder =
  | Thread  (** outside of all pools *)
  | Running  (** a fiber that does not wait *)
  | Waiting of { waits_for : string; name : string; stack : Printexc.raw_backtrace }  (** one that does *)

type fiber = {
  pool : string;
  waits_for : string;  (** the operation *)
  name : string;  (** of the lock or channel; or empty *)
  held_by : holder option;  (** of a mutex *)
  seconds : float;  (** for so long *)
  stack : Printexc.raw_backtrace;
}

val fibers : Pool_state.t list -> fiber list
(** The fibers of these pools that wait, the longest waiting first. No worker is stopped: each answer is of
    some moment during the call. A fiber that waits for the join of a fork is not listed. O(fibers), for each
    mutex that they wait for once more, and some microseconds for each stack. From any thread, signal handlers
    included. *)

val counted : string list -> (string * int) list
(** How often each is there, the most frequent first. *)
