let check who ?limit ?cutoff () =
  (match limit with
  | Some limit when limit < 1 ->
      invalid_arg (Printf.sprintf "%s: a limit of %d; it must be at least 1" who limit)
  | Some _ | None -> ());
  match cutoff with
  | Some (`Fixed n) when n < 1 ->
      invalid_arg (Printf.sprintf "%s: a cutoff of %d; it must be at least 1" who n)
  | Some (`Fixed _ | `Adaptive) | None -> ()

let check_count who n = if n < 0 then invalid_arg (Printf.sprintf "%s: %d operations" who n)
