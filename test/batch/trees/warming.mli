(** What [Weft_containers.Persistent.TREE.warm] compares, and where batches call it. *)

val tests : unit Alcotest.test_case list
