let line fmt = Printf.ksprintf (fun text -> try Printf.eprintf "weft: %s\n%!" text with _ -> ()) fmt
