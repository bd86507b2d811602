type t = { path : string; json : Yojson.Safe.t }

exception Bad of string

let root json = { path = ""; json }
let path t = t.path
let fail t what = raise (Bad (if String.equal t.path "" then what else t.path ^ ": " ^ what))

(* Describes the value found in a few words, since a message is one line. *)
let describe (json : Yojson.Safe.t) =
  let short text = if String.length text <= 40 then text else String.sub text 0 37 ^ "..." in
  match json with
  | `Null -> "null"
  | `Bool b -> string_of_bool b
  | `Int n -> string_of_int n
  | `Intlit text -> short text
  | `Float x -> short (Printf.sprintf "%.15g" x)
  | `String text -> Printf.sprintf "the text %S" (short text)
  | `Assoc _ -> "an object"
  | _ -> "a list"

let expected t what = fail t (Printf.sprintf "expected %s, found %s" what (describe t.json))

(* {1 Objects and lists} *)

let below t key json = { path = (if String.equal t.path "" then key else t.path ^ "." ^ key); json }

let fields t =
  match t.json with
  | `Assoc fields ->
      List.map
        (fun (key, json) ->
          let field = below t key json in
          if not (Weft_files.Foreign_text.is_plain key) then
            fail field
              "the key has a character that is not shown (control, direction, no width), or is not UTF-8";
          (key, field))
        fields
  | _ -> expected t "an object"

let values t key =
  match t.json with
  | `Assoc fields -> List.filter (fun (other, _) -> String.equal other key) fields
  | _ -> expected t "an object"

let has t key = match t.json with `Assoc fields -> List.mem_assoc key fields | _ -> false

let field t key =
  match values t key with
  | [ (_, json) ] -> below t key json
  | [] -> fail t (Printf.sprintf "the key '%s' is missing" key)
  | _ -> fail t (Printf.sprintf "the key '%s' is there twice" key)

let field_or ~default get t key = if has t key then get (field t key) else default
let most = 20_000

let list get t =
  match t.json with
  | `List elements when List.compare_length_with elements most > 0 ->
      fail t (Printf.sprintf "the list is longer than %d" most)
  | `List elements -> List.mapi (fun i json -> get { path = Printf.sprintf "%s[%d]" t.path i; json }) elements
  | _ -> expected t "a list"

let some get t = match list get t with [] -> fail t "the list is empty" | elements -> elements
let nullable get t = match t.json with `Null -> None | _ -> Some (get t)

(* {1 Values} *)

let bool t = match t.json with `Bool b -> b | _ -> expected t "true or false"
let longest_text = 4000

let string t =
  match t.json with
  | `String text when String.length text > longest_text ->
      fail t (Printf.sprintf "the text is longer than %d bytes" longest_text)
  | `String text when not (Weft_files.Foreign_text.is_plain text) ->
      fail t "the text has a character that is not shown (control, direction, no width), or is not UTF-8"
  | `String text -> text
  | _ -> expected t "a text"

let one_of names t =
  let taken = String.concat ", " (List.map (fun (name, _) -> Printf.sprintf "%S" name) names) in
  match t.json with
  | `String text when List.mem_assoc text names -> List.assoc text names
  | _ -> expected t ("one of " ^ taken)

let int ?(least = min_int) ?(greatest = max_int) t =
  match t.json with
  | `Int n when n > greatest -> expected t (Printf.sprintf "at most %d" greatest)
  | `Int n when n >= least -> n
  | _ when least = min_int -> expected t "a whole number"
  | _ -> expected t (Printf.sprintf "a whole number of at least %d" least)

(* Products and ratios of several such numbers are finite, and none is 0 by rounding. *)
let is_measured x = x = 0. || (Float.abs x >= 1e-30 && Float.abs x <= 1e30)

let number t =
  match t.json with
  | `Int n -> float_of_int n
  | `Float x when Float.is_finite x && not (is_measured x) ->
      fail t (Printf.sprintf "%g is out of range: its digits begin beyond 10^30 or 10^-30" x)
  | `Float x when Float.is_finite x -> x
  | _ -> expected t "a finite number"

let above_0 t =
  let x = number t in
  if x > 0. then x else expected t "a number above 0"

let positive t =
  let x = number t in
  if Float.sign_bit x then expected t "a number of at least 0" else x
