(** The part of [Short_loop] that [Search] uses: here no search should be short. *)

val jobs : unit -> int
val is_short : jobs:int -> unit -> int -> int -> int -> bool
val may_be_deferred : jobs:int -> unit -> int -> int -> int -> bool
