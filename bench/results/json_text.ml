open Weft_files

let greatest_size = 64 * 1024 * 1024

(* Yojson's message has the place in its first line; then follow the reason and perhaps a piece of the
   text. *)
let reason_of message =
  match String.split_on_char '\n' message with
  | [ reason ] -> ("", reason)
  | place :: reason :: _ -> (String.lowercase_ascii place ^ " ", reason)
  | [] -> ("", message)

let ( let* ) = Result.bind

let parse text =
  if String.equal (String.trim text) "" then Error "the file is empty"
  else
    let* () =
      Json_nesting.follow (Json_nesting.create ()) (Bytes.unsafe_of_string text) 0 (String.length text)
    in
    match Yojson.Safe.from_string text with
    | json -> Ok json
    | exception Yojson.Json_error message ->
        let place, reason = reason_of message in
        Error (Printf.sprintf "not JSON, or not all of it: %s%s" place reason)
    | exception Failure message -> Error ("not JSON: " ^ message)

let read_as name of_json =
  Result.bind
    (Input.with_file name (Input.contents ~most:greatest_size))
    (fun text -> Result.bind (parse text) of_json)
  |> Result.map_error (fun reason -> Printf.sprintf "%s: %s" (Input.shown name) (Foreign_text.ascii reason))
