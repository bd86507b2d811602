(** Values that belong to a worker, or to a task and the tasks that it starts.

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

    There is one {e slot} for each worker of all pools, so no two threads use the same one at once, and no
    lock or atomic is needed. The slots lie far enough apart in memory that workers do not slow each other
    down. When a pool has been closed, its workers' slots keep their values; workers of later pools may go on
    with them. A thread that is no worker has a slot of its own for as long as the program runs.

    {b A fiber may move to another worker whenever it is suspended}: so get the value again after
    {!Weft.await}, {!Weft.par} or anything else that may suspend, and do not pass a value that you got before
    to {!Worker_local.set} then; {!Worker_local.update} is safe. And while a fiber is suspended, others use
    the same slot. *)
module Worker_local : sig
  type 'a t

  val create : (unit -> 'a) -> 'a t
  (** [create initial] is a value with no slot in use yet. When a worker uses its slot for the first time,
      [initial ()] is called there, and is the slot's value. *)

  val get : 'a t -> 'a
  (** [get l] is the value of the calling worker's slot. A few nanoseconds; O(1) except for the first use.
      Never suspends, unless [initial] does. In a thread that is no worker it takes a lock, and costs
      O(threads that use [l]). *)

  val set : 'a t -> 'a -> unit
  (** [set l v] makes [v] the value of the calling worker's slot. It costs as much as {!get}, and a store. *)

  val update : 'a t -> ('a -> 'a) -> unit
  (** [update l f] makes [f v] the value of the calling worker's slot, where [v] is its value. [f] must not
      suspend, nor use [l]. *)

  val fold : ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b
  (** [fold f b l] is [f (... (f b v1) ...) vn] for the values [v1, ..., vn] of all slots in use, also those
      of workers of closed pools and of threads that have ended. The order is arbitrary: [f] should be
      commutative. O(slots). It may or may not see changes that others make to [l] meanwhile: call it when
      they are done, that is, after a loop, {!Weft.par} or {!Weft.await} has returned. *)

  val reset : 'a t -> unit
  (** [reset l] puts [l] into the state in which it was made: no slot is in use. Call it when nobody else uses
      [l]. *)
end

(** Values that are bound while a call lasts; all tasks that the call starts see them.

    {[
      let verbose = Weft.Local.Task_local.create ~default:false

      let () =
        Weft.Local.Task_local.with_value verbose true (fun () ->
            Weft.parallel_for ~start:1 ~finish:3
              ~body:(fun i -> if Weft.Local.Task_local.get verbose then Printf.printf "%d\n" i)
              ())
    ]}

    A task sees the values that were bound where it was made ({!Weft.par}, {!Weft.async}, the loops,
    {!Promise.map}, {!Pool.run}, ...), wherever it runs, whoever awaits it, and also when it is suspended and
    goes on elsewhere. The same holds for a call that enters a pool from outside. Keys of
    {!Task_local.create_own} are not inherited. A thread or domain that a program makes itself begins with
    nothing bound.

    Programs that bind nothing pay nothing. While something is bound, each fork takes a slower path, at two to
    three times the usual cost of {!Weft.par}.

    With effects of your own: the binding is in force until the call of {!Task_local.with_value} returns or
    raises. If [f] performs an effect whose handler lies outside, the handler sees the binding, too. *)
module Task_local : sig
  type 'a t
  (** A key that values are bound to. *)

  val create : default:'a -> 'a t
  (** [create ~default] is a new key; its value is [default] while none is bound. *)

  val create_own : default:'a -> 'a t
  (** [create_own ~default] is a key whose values belong to one task alone: a task that it starts
      ({!Weft.async}, {!Scope.async}, {!Promise.map} ...) does not inherit them, and begins with [default].
      The parts of a fork-join call ({!Weft.par}, {!Weft.all}, the loops, {!Weft.pipeline}) and calls that
      enter a pool ({!Weft.run}, {!Pool.run}) are no tasks in this sense: they see what the task sees, on
      whichever domain they run. *)

  val get : 'a t -> 'a
  (** [get k] is the value bound to [k] by the innermost {!with_value} around the calling code; outside of
      these in a task, around the place where the task was made. A few nanoseconds if nothing is bound, else
      O(log (keys that are bound)). Never suspends. *)

  val with_value : 'a t -> 'a -> (unit -> 'b) -> 'b
  (** [with_value k v f] is [f ()], with [v] bound to [k]. O(log (keys that are bound)). When it returns or
      raises, the former binding of [k] is back. Tasks that [f] has started and that are still to run keep
      [v], unless the key is one of {!create_own}. *)

  val set : 'a t -> 'a -> unit
  (** [set k v] replaces the value that the innermost {!with_value} around the calling code has bound to [k],
      until that returns. To set a value for a whole task, begin the task with {!with_value}. The key is one
      of {!create_own}, so no other task sees the change. But all parts of a fork-join call share the value,
      like a [ref]: set it outside of these. It costs as much as {!get}.
      @raise Invalid_argument if [k] is a key of {!create}, or if no value is bound to it in the calling task.
  *)
end
