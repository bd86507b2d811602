let fail who format = Printf.ksprintf (fun what -> invalid_arg (who ^ ": " ^ what)) format

let length who n =
  if n < 0 then fail who "negative length %d" n;
  if n > Sys.max_array_length then fail who "no array has length %d" n

let sum who n m =
  length who (n + m);
  n + m

let text who n = if n > Sys.max_string_length then fail who "no text has length %d" n

let buckets who n =
  if n < 0 then fail who "negative number of buckets %d" n;
  length who n

let[@inline never] no_bucket who b n = fail who "bucket %d of %d" b n
let[@inline] bucket who b n = if b < 0 || b >= n then no_bucket who b n
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
