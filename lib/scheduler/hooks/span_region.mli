(** Regions of a profiled computation. *)

val region : string -> (unit -> 'a) -> 'a
(** [region name f] is [f ()], counted under [name], inside the regions around it; [f ()] if nothing is
    profiled here. *)
