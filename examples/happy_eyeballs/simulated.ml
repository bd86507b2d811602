type t = { name : string; delay : float; succeeds : bool }

exception Refused

let of_string text =
  let wrong () = Error (Printf.sprintf "%S is not NAME:SECONDS:ok or NAME:SECONDS:fail" text) in
  match String.split_on_char ':' text with
  | [ name; seconds; (("ok" | "fail") as end_) ] -> (
      match float_of_string_opt seconds with
      | Some delay when delay >= 0. && delay <= 1e9 -> Ok { name; delay; succeeds = end_ = "ok" }
      | _ -> wrong ())
  | _ -> wrong ()

let connect { delay; succeeds; _ } =
  Weft.sleep delay;
  if not succeeds then raise Refused
