(** Who held a lock while fibers waited for it, as far as those tell who woke them: whoever unlocks a lock
    wakes the next.

    A fiber that ends a wait has held the lock since the unlock before, or since fibers began to wait. Another
    one may have held it in between, for as long as a fiber that has been woken needs to run. *)

type t = { fiber : int; times : int; time : int  (** ns in all *) }

val of_waits : Trace.span array -> t list
(** Of the waits for one lock; who held it longest comes first. *)
