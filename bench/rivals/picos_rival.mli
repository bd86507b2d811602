(** Picos, from version 0.6 on: fibers of [picos_std.structured] on the scheduler [picos_mux.multififo], which
    has a queue for each domain. *)

val rival : Rival.t
