(** OCaml files: where they call domainslib, without a compiler.

    Comments and strings are skipped. Names are followed through [module T = Domainslib.Task],
    [open Domainslib] and the like within the file, not from file to file. *)

val look : string -> Finding.t
(** Notes only: programs need no change, but for the label of the older versions. *)
