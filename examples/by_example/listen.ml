(* From here on, [weft attach] may look at this program; what it writes is in a file, here in one of its own. *)

let () =
  Weft.Trace.start ();
  Printf.printf "%b\n" (Weft.Trace.enabled ())
