(** [Alcotest], with a [check] that several domains may call at once. Alcotest's own prints through [Format],
    which is not safe for that; this one holds a lock. *)
module Alcotest : module type of struct
  include Alcotest
end
