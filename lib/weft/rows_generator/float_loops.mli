(** Executable: prints [lib/weft/float_loops.ml]. *)
