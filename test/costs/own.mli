(** What the structures of a user cost, batched by [Weft_batch.Make] and its like, and what looks at them. *)

val tables : Table.t list
