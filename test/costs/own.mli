(** The costs of a user's structures, batched by [Weft_batch.Make] and its like, and of the functions that
    read their statistics. *)

val tables : Table.t list
