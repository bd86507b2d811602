(** A rival as a contestant. *)

module type S = sig
  include Rival.S

  val contestant : Weft_bench_harness.Contestant.t
  (** A contestant that enters a new pool of the rival for each run. *)

  val here : unit -> pool
  (** [here ()] is the pool of the current run.
      @raise Invalid_argument if there is none. *)
end

module Make (R : Rival.S) : S with type pool = R.pool and type 'a promise = 'a R.promise
