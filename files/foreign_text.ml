(* Not shown: control characters; what separates lines; what changes the direction of text, joins or has no width; what XML does not
   allow. *)
let is_shown code =
  let within (first, last) = first <= code && code <= last in
  not
    (List.exists within
       [
         (0, 0x1f);
         (0x7f, 0x9f);
         (0xad, 0xad);
         (0x61c, 0x61c);
         (0x180e, 0x180e);
         (0x200b, 0x200f);
         (0x2028, 0x202e);
         (0x2060, 0x206f);
         (0xfeff, 0xfeff);
         (0xfff9, 0xfffb);
         (0xfffe, 0xffff);
         (0xe0000, 0xe007f);
       ])

(* Calls [f] with each character as it stands in [text], and its code; with [None] for what is not UTF-8. *)
let each text f =
  let rec from i =
    if i < String.length text then begin
      let decoded = String.get_utf_8_uchar text i in
      let length = Uchar.utf_decode_length decoded in
      let code =
        if Uchar.utf_decode_is_valid decoded then Some (Uchar.to_int (Uchar.utf_decode_uchar decoded))
        else None
      in
      f (String.sub text i length) code;
      from (i + length)
    end
  in
  from 0

let made text f =
  let buffer = Buffer.create (String.length text) in
  each text (f buffer);
  Buffer.contents buffer

let bytes buffer = String.iter (fun c -> Printf.bprintf buffer "\\x%02x" (Char.code c))
let is_ascii text = String.for_all (fun c -> c >= ' ' && c <= '~') text

let line text =
  if is_ascii text then text
  else
    made text (fun buffer character -> function
      | Some code when is_shown code -> Buffer.add_string buffer character
      | Some code when code > 0x7f -> Printf.bprintf buffer "\\u{%x}" code
      | Some _ | None -> bytes buffer character)

let is_plain text = String.equal (line text) text

let ascii text =
  if is_ascii text then text
  else
    made text (fun buffer character _ ->
        if is_ascii character then Buffer.add_string buffer character else bytes buffer character)

let columns text =
  made text (fun buffer character _ ->
      Buffer.add_string buffer
        (if character = "\t" then "    " else if is_ascii character then character else "?"))

let replaced by text =
  let buffer = Buffer.create (String.length text) in
  String.iter
    (fun c -> match by c with Some s -> Buffer.add_string buffer s | None -> Buffer.add_char buffer c)
    text;
  Buffer.contents buffer

let markup text =
  replaced
    (function
      | '&' -> Some "&amp;"
      | '<' -> Some "&lt;"
      | '>' -> Some "&gt;"
      | '"' -> Some "&quot;"
      | '\'' -> Some "&#39;"
      | _ -> None)
    (line text)

let cell text =
  let is_formula = text <> "" && String.contains "=+-@\t\r\n" text.[0] in
  let text = if is_formula then "'" ^ text else text in
  if String.exists (function ',' | '"' | '\n' | '\r' -> true | _ -> false) text then
    "\"" ^ String.concat "\"\"" (String.split_on_char '"' text) ^ "\""
  else text

let utf_8 text =
  if String.is_valid_utf_8 text then text
  else
    made text (fun buffer character code ->
        Buffer.add_string buffer (if code = None then "\u{fffd}" else character))

let complain command message = Printf.eprintf "weft %s: %s\n%!" command (line message)
