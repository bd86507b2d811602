(* Domainslib is the library of that name. *)
