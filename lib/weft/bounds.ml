let fail who format = Printf.ksprintf (fun what -> invalid_arg (who ^ ": " ^ what)) format

let length who n =
  if n < 0 then fail who "negative length %d" n;
  if n > Sys.max_array_length then fail who "no array has length %d" n

let same who n m = if n <> m then fail who "lengths %d and %d differ" n m
let not_empty who n = if n = 0 then fail who "no elements"

let within who ~pos ~len n =
  (* Written so that nothing overflows. *)
  if pos < 0 || len < 0 || pos > n - len then fail who "pos %d and len %d in a length of %d" pos len n

let range who pos len n =
  match (pos, len) with
  | None, None -> (0, n - 1)
  | Some pos, None ->
      if pos < 0 || pos > n then fail who "pos %d in a length of %d" pos n;
      (pos, n - 1)
  | _, Some len ->
      let pos = Option.value pos ~default:0 in
      within who ~pos ~len n;
      (pos, pos + len - 1)
