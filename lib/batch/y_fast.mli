(** Batched y-fast tries. Shards are subtries by the topmost bits of keys: 256 for universes of 24 bits. See
    {!Weft_containers.Y_fast} for complexities. *)

include Int_maps.S with module Sequential = Weft_containers.Y_fast
