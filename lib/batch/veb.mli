(** Batched van Emde Boas trees. Shards are the clusters of the topmost node: 4096 for universes of 22 bits.
    See {!Weft_containers.Veb} for complexities. *)

include Int_maps.S with module Sequential = Weft_containers.Veb
