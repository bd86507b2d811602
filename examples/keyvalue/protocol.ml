type request =
  | Get of string
  | Set of string * string
  | Delete of string
  | Add of string * int
  | Next of string
  | Count
  | Quit

type reply =
  | Value of string
  | Binding of string * string
  | Number of int
  | Done
  | None_there
  | Wrong of string

(* The first word, and everything after the blank that follows it. *)
let cut line =
  match String.index_opt line ' ' with
  | None -> (line, None)
  | Some i -> (String.sub line 0 i, Some (String.sub line (i + 1) (String.length line - i - 1)))

let is_key s =
  let n = String.length s in
  1 <= n && n <= 250 && String.for_all (fun c -> c > ' ' && c <> '\x7f') s

let with_key s make = if is_key s then Ok (make s) else Error "a key is 1 to 250 bytes without blanks"

let request_of_line line =
  match cut line with
  | "GET", Some key -> with_key key (fun key -> Get key)
  | "DELETE", Some key -> with_key key (fun key -> Delete key)
  | "NEXT", Some key -> with_key key (fun key -> Next key)
  | "SET", Some rest -> (
      match cut rest with
      | key, Some value -> with_key key (fun key -> Set (key, value))
      | _, None -> Error "SET wants a key and a value")
  | "ADD", Some rest -> (
      match cut rest with
      | _, None -> Error "ADD wants a key and a number"
      | key, Some n -> (
          match int_of_string_opt n with
          | Some n -> with_key key (fun key -> Add (key, n))
          | None -> Error "ADD wants a number"))
  | "COUNT", None -> Ok Count
  | "QUIT", None -> Ok Quit
  | ("GET" | "DELETE" | "NEXT"), None -> Error "a key is missing"
  | ("SET" | "ADD"), None -> Error "a key and a value are missing"
  | ("COUNT" | "QUIT"), Some _ -> Error "nothing may follow"
  | _ -> Error "no such request; there are GET, SET, DELETE, ADD, NEXT, COUNT and QUIT"

let line_of_request = function
  | Get key -> "GET " ^ key ^ "\n"
  | Set (key, value) -> "SET " ^ key ^ " " ^ value ^ "\n"
  | Delete key -> "DELETE " ^ key ^ "\n"
  | Add (key, n) -> Printf.sprintf "ADD %s %d\n" key n
  | Next key -> "NEXT " ^ key ^ "\n"
  | Count -> "COUNT\n"
  | Quit -> "QUIT\n"

let reply_of_line line =
  match cut line with
  | "VALUE", Some value -> Some (Value value)
  | "BINDING", Some rest -> (
      match cut rest with key, Some value when is_key key -> Some (Binding (key, value)) | _ -> None)
  | "NUMBER", Some n -> Option.map (fun n -> Number n) (int_of_string_opt n)
  | "DONE", None -> Some Done
  | "NONE", None -> Some None_there
  | "ERROR", Some what -> Some (Wrong what)
  | _ -> None

let line_of_reply = function
  | Value value -> "VALUE " ^ value ^ "\n"
  | Binding (key, value) -> "BINDING " ^ key ^ " " ^ value ^ "\n"
  | Number n -> Printf.sprintf "NUMBER %d\n" n
  | Done -> "DONE\n"
  | None_there -> "NONE\n"
  | Wrong what -> "ERROR " ^ what ^ "\n"
