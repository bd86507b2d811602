type t = { origin : int; lines : (int, string * int) Hashtbl.t; own : (int, unit) Hashtbl.t }

(* --- ELF, of 64 bits, in the order of bytes that this machine has --- *)

exception Other

type section = { name : string; offset : int; size : int; link : int }

let input_at input at n =
  let length = Int64.to_int (In_channel.length input) in
  if at < 0 || n < 0 || at > length || n > length - at then raise_notrace Other;
  In_channel.seek input (Int64.of_int at);
  match In_channel.really_input_string input n with Some s -> s | None -> raise_notrace Other

let word s at = Int64.to_int (String.get_int64_ne s at)
let half s at = Int32.to_int (String.get_int32_ne s at) land 0xffff_ffff
let small s at = String.get_uint16_ne s at

let text_at s at =
  match String.index_from_opt s at '\000' with
  | Some e -> String.sub s at (e - at)
  | None | (exception Invalid_argument _) -> raise_notrace Other

let order = if Sys.big_endian then '\002' else '\001'

let sections input =
  let head = input_at input 0 64 in
  if not (String.starts_with ~prefix:"\x7fELF\002" head && head.[5] = order) then raise_notrace Other;
  let at = word head 40 and size = small head 58 and count = small head 60 and names = small head 62 in
  if size < 64 || count = 0 || names >= count then raise_notrace Other;
  let table = input_at input at (size * count) in
  let field i = i * size in
  let offset i = word table (field i + 24) and length i = word table (field i + 32) in
  let strings = input_at input (offset names) (length names) in
  let section i =
    {
      name = text_at strings (half table (field i));
      offset = offset i;
      size = length i;
      link = half table (field i + 40);
    }
  in
  Array.init count section

let contents input s = input_at input s.offset s.size

let named input all name =
  match List.find_opt (fun s -> String.equal s.name name) (Array.to_list all) with
  | Some s -> contents input s
  | None -> ""

(* --- symbols --- *)

let origin_name = "weft_code_origin"

(* Modules of Weft's libraries: what calls the user's functions has a line of no interest to the user. *)
let is_own name = String.starts_with ~prefix:"camlWeft_" name || String.starts_with ~prefix:"camlWeft." name

let symbols input all =
  let own = Hashtbl.create 4096 and origin = ref None in
  (match List.find_opt (fun s -> String.equal s.name ".symtab") (Array.to_list all) with
  | None -> raise_notrace Other
  | Some s ->
      let table = contents input s and names = contents input all.(s.link) in
      for i = 0 to (s.size / 24) - 1 do
        let at = 24 * i in
        let name = half table at and address = word table (at + 8) in
        if name > 0 && address > 0 then begin
          let name = text_at names name in
          if is_own name then Hashtbl.replace own address ()
          else if String.equal name origin_name then origin := Some address
        end
      done);
  match !origin with Some origin -> (origin, own) | None -> raise_notrace Other

(* --- both --- *)

(* A trace names this file: to open a pipe would wait for its writer. *)
let of_file path =
  if not (Sys.is_regular_file path) then raise_notrace Other;
  In_channel.with_open_bin path @@ fun input ->
  let all = sections input in
  let origin, own = symbols input all in
  let lines = Hashtbl.create 65536 in
  (* Of several rows for an address, the first is that of the function; others are of what was inlined there. *)
  Line_table.read ~line:(named input all ".debug_line") ~line_str:(named input all ".debug_line_str")
    ~str:(named input all ".debug_str") (fun address file line ->
      if line > 0 && not (Hashtbl.mem lines address) then Hashtbl.add lines address (file, line));
  { origin; lines; own }

let load paths =
  let try_one path =
    match of_file path with
    | t -> Some t
    | exception (Sys_error _ | Other | Invalid_argument _ | Out_of_memory) -> None
  in
  List.find_map try_one paths

let line t place =
  let address = t.origin + (4 * place) in
  if place = 0 || Hashtbl.mem t.own address then None
  else Option.map (fun (file, n) -> Printf.sprintf "%s:%d" file n) (Hashtbl.find_opt t.lines address)
