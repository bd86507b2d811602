(* More than any of these files has; it bounds what a wrong file can cost. *)
let max_bytes = 16 * 1024 * 1024

let read_some channel =
  let content = Buffer.create 4096 and block = Bytes.create 4096 in
  let rec go () =
    let got = In_channel.input channel block 0 (Bytes.length block) in
    Buffer.add_subbytes content block 0 got;
    if got > 0 && Buffer.length content < max_bytes then go ()
  in
  go ();
  Buffer.contents content

let read_long path =
  match In_channel.with_open_bin path read_some with content -> Some content | exception Sys_error _ -> None

external read_small : string -> string option = "weft_read_small_file"
external small : unit -> int = "weft_small_file" [@@noalloc]

(* A channel costs a buffer of 64 KiB, which makes the collector hurry: for long files only. *)
let read root file =
  let path = Filename.concat root file in
  match read_small path with
  | Some content when String.length content >= small () -> read_long path
  | small -> small

let lines content = String.split_on_char '\n' content
let read_lines root file = Option.fold ~none:[] ~some:lines (read root file)

let words line =
  let blank_to_space = function '\t' | '\n' | '\r' -> ' ' | c -> c in
  String.map blank_to_space line |> String.split_on_char ' ' |> List.filter (fun word -> word <> "")

(* [int_of_string] also takes "0x1f", "1_000" and "-1"; the kernel writes plain digits. 15 of them cannot
   overflow, even when a few are added up. *)
let natural word =
  let is_digit c = '0' <= c && c <= '9' in
  if word <> "" && String.length word <= 15 && String.for_all is_digit word then int_of_string_opt word
  else None

let naturals words =
  let numbers = List.filter_map natural words in
  if List.compare_lengths numbers words = 0 then Some numbers else None

let positive = function Some n when n > 0 -> Some n | _ -> None

(* Numbers such as "0.04"; the load average has no sign and no exponent. *)
let decimal word =
  let in_decimal c = ('0' <= c && c <= '9') || c = '.' in
  if String.for_all in_decimal word then float_of_string_opt word else None

(* The value of the first line "key: value" (blanks around the colon do not matter). *)
let field key lines =
  let value line =
    match String.index_opt line ':' with
    | Some colon when String.trim (String.sub line 0 colon) = key ->
        Some (String.trim (String.sub line (colon + 1) (String.length line - colon - 1)))
    | _ -> None
  in
  List.find_map value lines

let non_empty = function Some "" | None -> None | some -> some
