(** OCaml files: where they call domainslib, without a compiler.

    Comments and strings are skipped. Names are followed through [module T = Domainslib.Task],
    [open Domainslib] and the like within the file, not from file to file. *)

val look : in_use:bool -> string -> Finding.t
(** Programs need no change, but for the label of the older versions, and for what a domain's number was used
    for: notes. Only [#require "domainslib"] is changed. [in_use]: other files of the project name domainslib,
    so that functions of this one may be called in its tasks. *)
