exception Unreadable

type reader = { text : string; mutable at : int; limit : int }

let byte r =
  if r.at < 0 || r.at >= r.limit then raise_notrace Unreadable;
  let c = Char.code (String.unsafe_get r.text r.at) in
  r.at <- r.at + 1;
  c

let fixed r n =
  if r.at < 0 || n < 0 || n > r.limit - r.at then raise_notrace Unreadable;
  let at = r.at in
  r.at <- at + n;
  match n with
  | 1 -> String.get_uint8 r.text at
  | 2 -> String.get_uint16_ne r.text at
  | 4 -> Int32.to_int (String.get_int32_ne r.text at) land 0xffff_ffff
  | 8 -> Int64.to_int (String.get_int64_ne r.text at)
  | _ -> 0

let rec leb r shift n =
  let c = byte r in
  let n = if shift < 63 then n lor ((c land 0x7f) lsl shift) else n in
  if c land 0x80 <> 0 then leb r (shift + 7) n else (n, c land 0x40 <> 0, shift + 7)

let unsigned r =
  let n, _, _ = leb r 0 0 in
  n

let signed r =
  let n, negative, shift = leb r 0 0 in
  if negative && shift < 63 then n lor (-1 lsl shift) else n

let string_at text at =
  match String.index_from_opt text at '\000' with
  | Some e -> String.sub text at (e - at)
  | None | (exception Invalid_argument _) -> raise_notrace Unreadable

let name r =
  let s = string_at r.text r.at in
  r.at <- r.at + String.length s + 1;
  s

(* --- the head of a table --- *)

type strings = { line_str : string; str : string }

(* A value of version 5 that is not text or number is skipped. *)
type value = Text of string | Number of int | Other

let skip r n =
  ignore (fixed r n : int);
  Other

let value r strings ~offset form =
  match form with
  | 0x08 -> Text (name r)
  | 0x1f -> Text (string_at strings.line_str (fixed r offset))
  | 0x0e -> Text (string_at strings.str (fixed r offset))
  | 0x0b -> Number (fixed r 1)
  | 0x05 -> Number (fixed r 2)
  | 0x06 -> Number (fixed r 4)
  | 0x07 -> Number (fixed r 8)
  | 0x0f -> Number (unsigned r)
  | 0x1e -> skip r 16
  | 0x09 -> skip r (unsigned r)
  | 0x0a -> skip r (fixed r 1)
  | _ -> raise_notrace Unreadable

let count r =
  let n = unsigned r in
  if n < 0 || n > r.limit - r.at then raise_notrace Unreadable;
  n

(* The arguments of [Array.init] and [List.init] are called in order. *)
let entries r strings ~offset =
  let pair _ =
    let content = unsigned r in
    (content, unsigned r)
  in
  let formats = List.init (byte r) pair in
  Array.init (count r) @@ fun _ ->
  List.map (fun (content, form) -> (content, value r strings ~offset form)) formats

let path entry = match List.assoc_opt 1 entry with Some (Text s) -> s | _ -> raise_notrace Unreadable
let folder entry = match List.assoc_opt 2 entry with Some (Number n) -> n | _ -> 0

let under folders n file =
  if Filename.is_relative file && n > 0 && n < Array.length folders then Filename.concat folders.(n) file
  else file

let rec names r so_far = match name r with "" -> List.rev so_far | s -> names r (s :: so_far)

(* Of versions 2 to 4 folders and files are counted from 1; the folder 0 is that of the compilation, which is
   left out, so that names are those that the compiler was called with. *)
let files_of_old r =
  let folders = Array.of_list ("" :: names r []) in
  let rec files so_far =
    match name r with
    | "" -> Array.of_list ("" :: List.rev so_far)
    | s ->
        let n = unsigned r in
        ignore (unsigned r, unsigned r);
        files (under folders n s :: so_far)
  in
  files []

let files_of_new r strings ~offset =
  let folders = Array.map path (entries r strings ~offset) in
  Array.map (fun e -> under folders (folder e) (path e)) (entries r strings ~offset)

(* --- its rows --- *)

type program = {
  least_step : int;
  base : int;
  range : int;
  first_special : int;
  lengths : int array;
  files : string array;
}

let run r p row =
  let address = ref 0 and file = ref 1 and line = ref 1 in
  let reset () =
    address := 0;
    file := 1;
    line := 1
  in
  let tell () = if !file >= 0 && !file < Array.length p.files then row !address p.files.(!file) !line in
  let forwards n = address := !address + (n * p.least_step) in
  let extended () =
    let length = unsigned r in
    let next = r.at + length in
    (match byte r with 1 -> reset () | 2 -> address := fixed r (length - 1) | _ -> ());
    if length < 1 || next > r.limit then raise_notrace Unreadable;
    r.at <- next
  in
  while r.at < r.limit do
    match byte r with
    | op when op >= p.first_special ->
        let n = op - p.first_special in
        forwards (n / p.range);
        line := !line + p.base + (n mod p.range);
        tell ()
    | 0 -> extended ()
    | 1 -> tell ()
    | 2 -> forwards (unsigned r)
    | 3 -> line := !line + signed r
    | 4 -> file := unsigned r
    | 8 -> forwards ((255 - p.first_special) / p.range)
    | 9 -> address := !address + fixed r 2
    | op ->
        for _ = 1 to p.lengths.(op) do
          ignore (unsigned r)
        done
  done

let table r strings ~offset row =
  let version = fixed r 2 in
  if version < 2 || version > 5 then raise_notrace Unreadable;
  if version = 5 then ignore (fixed r 2);
  let length = fixed r offset in
  let program_at = r.at + length in
  let least_step = byte r in
  if version >= 4 then ignore (byte r);
  ignore (byte r);
  let base = byte r in
  let range = byte r in
  let first_special = byte r in
  let lengths = Array.init (max 1 first_special) (fun op -> if op = 0 then 0 else byte r) in
  if range = 0 then raise_notrace Unreadable;
  let files = if version = 5 then files_of_new r strings ~offset else files_of_old r in
  r.at <- program_at;
  let base = if base > 127 then base - 256 else base in
  run r { least_step; base; range; first_special; lengths; files } row

let rec tables text strings at row =
  if at + 4 <= String.length text then begin
    let r = { text; at; limit = String.length text } in
    match
      let length = fixed r 4 in
      if length = 0xffff_ffff then (fixed r 8, 8) else (length, 4)
    with
    | exception Unreadable -> ()
    | length, offset ->
        let next = r.at + length in
        if length > 0 && length <= String.length text - r.at then begin
          (try table { r with limit = next } strings ~offset row with Unreadable | Invalid_argument _ -> ());
          tables text strings next row
        end
  end

let read ~line ~line_str ~str row = tables line { line_str; str } 0 row
