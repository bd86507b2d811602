(* There is no library domainslib here: Domainslib is Weft's, and this executable is not used. *)
