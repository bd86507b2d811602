(** Who waits for what, where and since when, of a program that runs. *)

type fiber = {
  pool : string;
  waits_for : string;  (** the operation *)
  seconds : float;  (** for so long *)
  stack : Printexc.raw_backtrace;
}

val fibers : Pool_state.t list -> fiber list
(** The fibers of these pools that wait, the longest waiting first. No worker is stopped: each answer is of
    some moment during the call. A fiber that waits for the join of a fork is not listed. O(fibers), and some
    microseconds for each stack. From any thread, signal handlers included. *)

val counted : string list -> (string * int) list
(** How often each is there, the most frequent first. *)
