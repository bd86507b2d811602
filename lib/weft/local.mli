(** Values that belong to where code runs: to a worker, or to a task and what it starts.

    {b Cost.} Each function is O(1), unless it says otherwise. A worker-local value takes the values
    themselves and 16 words or so for each slot in use. *)

(** One value per worker: accumulators without contention, and buffers.

    {[
      let seen = Weft.Local.Worker_local.create (fun () -> 0)

      let count items =
        Weft.parallel_for ~start:0
          ~finish:(Array.length items - 1)
          ~body:(fun i -> if wanted items.(i) then Weft.Local.Worker_local.update seen succ)
          ();
        Weft.Local.Worker_local.fold ( + ) 0 seen
    ]}

    There is one {e slot} for each worker of all pools, so no two threads use the same one at once, and
    nothing need be locked or atomic. The slots lie far enough apart in memory that workers do not slow each
    other down. When a pool has been closed, its workers' slots keep their values; workers of later pools may
    go on with them. A thread that is no worker has a slot of its own for as long as the program runs.

    {b A fiber may move to another worker whenever it is suspended}: so get the value again after
    {!Weft.await}, {!Weft.par} or anything else that may suspend, and do not {!Worker_local.set} there what
    you got before; {!Worker_local.update} is safe. And while a fiber is suspended, others use the same slot.
*)
module Worker_local : sig
  type 'a t

  val create : (unit -> 'a) -> 'a t
  (** [create initial] is a value with no slot in use yet. When a worker uses its slot for the first time,
      [initial ()] is called there, and is the slot's value. *)

  val get : 'a t -> 'a
  (** [get l] is the value of the calling worker's slot. A few nanoseconds; O(1) but for the first use. Never
      suspends, unless [initial] does. Called by a thread that is no worker it takes a lock, and O(threads
      that use [l]). *)

  val set : 'a t -> 'a -> unit
  (** [set l v] makes [v] the value of the calling worker's slot. It costs what {!get} does, and a store. *)

  val update : 'a t -> ('a -> 'a) -> unit
  (** [update l f] makes [f v] the value of the calling worker's slot, where [v] is its value. [f] must not
      suspend, nor use [l]. *)

  val fold : ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b
  (** [fold f b l] is [f (... (f b v1) ...) vn] for the values [v1, ..., vn] of all slots in use, of workers
      of closed pools and of threads that have ended too. The order means nothing: [f] should be commutative.
      O(slots). What others do to [l] meanwhile may be seen or not: call it when they are done, that is, after
      a loop, {!Weft.par} or {!Weft.await} has returned. *)

  val reset : 'a t -> unit
  (** [reset l] makes [l] as it was when created: no slot is in use. To be called when nobody else uses [l].
  *)
end

(** Values that are bound while a call lasts, and seen by all tasks that the call starts.

    {[
      let verbose = Weft.Local.Task_local.create ~default:false

      let () =
        Weft.Local.Task_local.with_value verbose true (fun () ->
            Weft.parallel_for ~start:1 ~finish:3
              ~body:(fun i -> if Weft.Local.Task_local.get verbose then Printf.printf "%d\n" i)
              ())
    ]}

    A task sees what was bound where it was made ({!Weft.par}, {!Weft.async}, the loops, {!Promise.map},
    {!Pool.run}, ...), wherever it runs, whoever awaits it, and also when it is suspended and goes on
    elsewhere. So does the call that enters a pool from outside. A thread or domain that a program makes
    itself begins with nothing bound.

    Programs that bind nothing pay nothing. Where something is bound, each fork takes a slower path, at two to
    three times the cost of {!Weft.par}'s own.

    With effects of your own: the binding is in force until the call of {!Task_local.with_value} returns or
    raises. If [f] performs an effect whose handler lies outside, what the handler does sees the binding too.
*)
module Task_local : sig
  type 'a t
  (** A key that values are bound to. *)

  val create : default:'a -> 'a t
  (** [create ~default] is a new key, whose value is [default] where none is bound. *)

  val get : 'a t -> 'a
  (** [get k] is the value bound to [k] by the innermost {!with_value} around the place where this task was
      made, or this code runs. A few nanoseconds if nothing is bound, else O(log (keys that are bound)). Never
      suspends. *)

  val with_value : 'a t -> 'a -> (unit -> 'b) -> 'b
  (** [with_value k v f] is [f ()], with [v] bound to [k]. O(log (keys that are bound)). What was bound to [k]
      before is so again when it returns or raises. Tasks that [f] has started and that are still to run keep
      [v]. *)
end
