exception Damaged of { file : string; offset : int; reason : string }

let () =
  Printexc.register_printer (function
    | Damaged { file; offset; reason } ->
        Some (Printf.sprintf "%s: damaged at offset %d: %s; restore the file from a copy" file offset reason)
    | _ -> None)

let damaged file offset reason = raise (Damaged { file; offset; reason })
