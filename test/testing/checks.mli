(** [Alcotest], with a [check] that several domains may call at once. Alcotest's own prints through [Format],
    which is not safe for that; this one holds a lock. *)
module Alcotest : module type of struct
  include Alcotest
end

(** {1 From any thread}

    These print only failures. *)

val check : string -> bool -> unit
(** [check what holds] fails with [what] unless it [holds]. *)

val check_bool : string -> bool -> bool -> unit
(** [check_bool what expected got]. *)

val check_int : string -> int -> int -> unit
(** [check_int what expected got]. *)
