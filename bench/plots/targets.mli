(** All targets of Weft. *)

include module type of struct
  include Target
end

val all : t list
(** In the order of the tables: forks and loops, elastic pools, batched structures. *)
