open Weft_files
module Json = Yojson.Safe

type other = (string * Json.t) list

exception Wrong of string

let wrong format = Printf.ksprintf (fun message -> raise (Wrong message)) format

(* {1 An event} *)

(* In us. The beginning of the epoch is 1.8e15 away. Twice this in ns, the length of the longest span included, is an
   [int]. *)
let furthest = 2.2e15

(* Some programs write numbers as strings. *)
let nanoseconds what (json : Json.t) =
  let json =
    match json with
    | `String text -> Option.fold ~none:json ~some:(fun us -> `Float us) (float_of_string_opt text)
    | _ -> json
  in
  match (json, Event.number json) with
  | `Int us, Some about when Float.abs about < furthest -> us * 1000
  | _, Some us when Float.abs us < furthest -> Float.to_int (Float.round (us *. 1000.))
  | _ -> wrong "'%s' is not a time in microseconds" what

let as_text : Json.t -> string = function
  | `String s -> s
  | `Int n -> string_of_int n
  | json -> Json.to_string json

let string_of what : Json.t -> string = function
  | `String s -> s
  | `Null -> ""
  | _ -> wrong "'%s' is not a string" what

type fields = {
  mutable ph : string;
  mutable ts : int;
  mutable timed : bool;
  mutable dur : int;
  mutable pid : string;
  mutable tid : string;
  mutable id : string;
  mutable cat : string;
  mutable name : string;
  mutable args : Event.arguments;
}

let blank () =
  { ph = ""; ts = 0; timed = false; dur = -1; pid = "0"; tid = "0"; id = ""; cat = ""; name = ""; args = [] }

(* They are compared with each other. *)
let most_arguments = 256

let arguments = function
  | `Assoc args when List.compare_length_with args most_arguments > 0 ->
      wrong "it has more than %d arguments" most_arguments
  | `Assoc args -> args
  | _ -> []

let set fields key state lexbuf =
  (match key with
  | "ph" -> fields.ph <- string_of key (Json.read_t state lexbuf)
  | "ts" ->
      fields.ts <- nanoseconds key (Json.read_t state lexbuf);
      fields.timed <- true
  | "dur" ->
      fields.dur <- nanoseconds key (Json.read_t state lexbuf);
      if fields.dur < 0 then wrong "'dur' is negative"
  | "pid" -> fields.pid <- as_text (Json.read_t state lexbuf)
  | "tid" -> fields.tid <- as_text (Json.read_t state lexbuf)
  | "id" | "id2" -> fields.id <- as_text (Json.read_t state lexbuf)
  | "cat" -> fields.cat <- string_of key (Json.read_t state lexbuf)
  | "name" -> fields.name <- as_text (Json.read_t state lexbuf)
  | "args" -> fields.args <- arguments (Json.read_t state lexbuf)
  | _ -> Json.skip_json state lexbuf);
  fields

let phase fields : Event.phase =
  match fields.ph with
  | "B" -> Begin
  | "E" -> End
  | "X" -> Complete (max 0 fields.dur)
  | "i" | "I" | "R" -> Instant
  | "b" | "S" -> Async_begin
  | "e" | "F" -> Async_end
  | "n" -> Instant
  | "s" -> Flow
  | "C" -> Sample
  | "M" -> Metadata
  | "" -> wrong "it has no 'ph'"
  | _ -> Ignored

let event state lexbuf : Event.raw =
  let fields = Json.read_fields set (blank ()) state lexbuf in
  let phase = phase fields in
  if (not fields.timed) && phase <> Metadata && phase <> Ignored then wrong "it has no 'ts'";
  {
    phase;
    time = fields.ts;
    pid = fields.pid;
    tid = fields.tid;
    id = fields.id;
    category = Category.of_name fields.cat;
    name = fields.name;
    arguments = fields.args;
  }

(* {1 The file} *)

let rec at_end (lexbuf : Lexing.lexbuf) =
  lexbuf.lex_curr_pos >= lexbuf.lex_buffer_len
  && (lexbuf.lex_eof_reached
     ||
     (lexbuf.refill_buff lexbuf;
      at_end lexbuf))

(* The first character after white space, without taking it; [None] at the end. *)
let rec peek state (lexbuf : Lexing.lexbuf) =
  Json.read_space state lexbuf;
  if lexbuf.lex_curr_pos < lexbuf.lex_buffer_len then Some (Bytes.get lexbuf.lex_buffer lexbuf.lex_curr_pos)
  else if lexbuf.lex_eof_reached then None
  else (
    lexbuf.refill_buff lexbuf;
    peek state lexbuf)

let events ~f ~may_stop state lexbuf =
  let count = ref 0 in
  let one () =
    incr count;
    match event state lexbuf with
    | event -> f event
    | exception Wrong reason -> wrong "event %d: %s" !count reason
  in
  let rec more () =
    match peek state lexbuf with
    | None when may_stop -> ()
    | _ -> (
        match Json.read_array_sep state lexbuf with
        | () -> (
            match peek state lexbuf with
            | None when may_stop -> ()
            | _ ->
                one ();
                more ())
        | exception Yojson.End_of_array -> ())
  in
  Json.read_lbr state lexbuf;
  Json.read_space state lexbuf;
  match Json.read_array_end lexbuf with
  | () -> (
      match peek state lexbuf with
      | None when may_stop -> ()
      | _ ->
          one ();
          more ())
  | exception Yojson.End_of_array -> ()

let value ~f state lexbuf =
  match peek state lexbuf with
  | None -> wrong "it is empty"
  | Some '[' ->
      events ~f ~may_stop:true state lexbuf;
      []
  | Some '{' ->
      let other = ref [] and found = ref false in
      let member () key state lexbuf =
        match key with
        | "traceEvents" ->
            found := true;
            events ~f ~may_stop:false state lexbuf
        | "otherData" -> ( match Json.read_t state lexbuf with `Assoc members -> other := members | _ -> ())
        | _ -> Json.skip_json state lexbuf
      in
      Json.read_fields member () state lexbuf;
      if not !found then wrong "it is JSON, but no trace: there is no 'traceEvents' in it";
      !other
  | Some _ -> wrong "it is no trace in Chrome's format (JSON): make one with 'weft trace -o FILE -- PROGRAM'"

let whole ~f state lexbuf =
  let other = value ~f state lexbuf in
  if peek state lexbuf <> None then wrong "not JSON: something follows the end of the trace";
  other

let refuse_fuchsia input =
  if Input.starts_with input "\x10\x00\x04FxT\x16\x00" then
    wrong "it is in the Fuchsia format; weft report reads JSON: trace once more, to a name that ends in .json"

let printable text =
  let line = Foreign_text.ascii text in
  if String.length line > 120 then String.sub line 0 120 ^ "..." else line

(* Yojson says "Line 3, bytes 7-9:" first, on a line of its own. *)
let without_place reason =
  match String.index_opt reason '\n' with
  | Some i -> String.sub reason (i + 1) (String.length reason - i - 1)
  | None -> reason

(* The lexer's messages if the file ends inside a value. *)
let is_about_the_end reason = String.ends_with ~suffix:"Unexpected end of input" reason

(* A file that ends with a bracket is wrong, not truncated: if it ended inside a value, the lexer would give
   one of the messages above. *)
let ends_openly (lexbuf : Lexing.lexbuf) =
  (* What follows may be wrong itself. *)
  (match at_end lexbuf with ends -> ends | exception Wrong _ -> false)
  &&
  let rec last i =
    i >= 0
    &&
    match Bytes.get lexbuf.lex_buffer i with
    | ' ' | '\t' | '\n' | '\r' -> last (i - 1)
    | c -> c <> '}' && c <> ']'
  in
  last (lexbuf.lex_buffer_len - 1)

let read name ~f =
  let state = Yojson.init_lexer () in
  let located reason = Error (Printf.sprintf "line %d: %s" (max 1 state.lnum) reason) in
  let cut_short = "it was cut short (the tracing was ended, or the disk was full): trace once more" in
  let parse input =
    let nesting = Json_nesting.create () in
    let more bytes n =
      let n = Input.read input bytes 0 n in
      match Json_nesting.follow nesting bytes 0 n with Ok () -> n | Error reason -> wrong "%s" reason
    in
    let lexbuf = Lexing.from_function more in
    match
      refuse_fuchsia input;
      whole ~f state lexbuf
    with
    | other -> Ok other
    | exception Yojson.End_of_input -> located cut_short
    | exception Yojson.Json_error reason when is_about_the_end reason || ends_openly lexbuf ->
        located cut_short
    | exception Yojson.Json_error reason -> located ("not JSON: " ^ printable (without_place reason))
    | exception Wrong reason when state.lnum > 1 -> located reason
    | exception Wrong reason -> Error reason
    | exception Failure reason -> located ("not JSON: " ^ printable reason)
  in
  match Input.with_file name parse with
  | Ok (Ok other) -> Ok other
  | Ok (Error reason) | Error reason -> Error (Input.shown name ^ ": " ^ reason)
