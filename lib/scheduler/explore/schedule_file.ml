type choice = { fiber : string; point : int; takes : string }

let head = "weft-schedule 1"
let most = 64 * 1024 * 1024
let time = "time"
let is_name s = s <> "" && String.for_all (function '0' .. '9' | '.' | '#' -> true | _ -> false) s

let choice line =
  match List.filter (( <> ) "") (String.split_on_char ' ' (String.trim line)) with
  | [ fiber; point; "->"; takes ] when is_name fiber && (is_name takes || takes = time) -> (
      let is_digit c = c >= '0' && c <= '9' in
      match int_of_string_opt point with
      | Some number when number > 0 && String.for_all is_digit point -> Some { fiber; point = number; takes }
      | _ -> None)
  | _ -> None

let parse text =
  let rec from number chosen = function
    | [] -> Ok (List.rev chosen)
    | line :: rest when line = "" || line.[0] = '#' -> from (number + 1) chosen rest
    | line :: rest -> (
        match choice line with
        | Some c -> from (number + 1) (c :: chosen) rest
        | None -> Error (Printf.sprintf "line %d is no choice of a schedule" number))
  in
  match String.split_on_char '\n' text with
  | first :: rest when String.trim first = head ->
      (* Its last line ends, too: a schedule that was cut short is no schedule. *)
      if String.ends_with ~suffix:"\n" text then from 2 [] rest else Error "the file ends within a line"
  | _ -> Error (Printf.sprintf "it is no schedule of weft explore: the first line is not %S" head)

let print ~comment choices =
  let line c = Printf.sprintf "%s %d -> %s\n" c.fiber c.point c.takes in
  head ^ "\n" ^ String.concat "" (List.map (fun c -> "# " ^ c ^ "\n") comment @ List.map line choices)

let read file =
  match
    In_channel.with_open_bin file @@ fun input ->
    let b = Buffer.create 4096 and chunk = Bytes.create 65536 in
    let rec fill () =
      let n = In_channel.input input chunk 0 65536 in
      Buffer.add_subbytes b chunk 0 n;
      if n > 0 && Buffer.length b <= most then fill ()
    in
    fill ();
    Buffer.contents b
  with
  | text when String.length text > most -> Error "it is too long for a schedule"
  | text -> parse text
  | exception Sys_error why -> Error why
