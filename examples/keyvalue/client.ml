open Protocol

type t = { lines : Lines.t; mutable unread : Lines.line list }

exception Broken of string

let broken format = Printf.ksprintf (fun what -> raise (Broken what)) format

(* Seconds for each step of a connection. *)
let patience = 10.

let with_connection ~port f =
  let socket = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Fun.protect ~finally:(fun () -> Weft_unix.close socket) @@ fun () ->
  try
    Unix.setsockopt socket TCP_NODELAY true;
    Weft_unix.connect ~timeout:patience socket (ADDR_INET (Unix.inet_addr_loopback, port));
    f { lines = Lines.of_socket ~idle:patience ~patience socket; unread = [] }
  with
  | Weft.Cancel.Timeout -> broken "no reply within %g seconds" patience
  | Unix.Unix_error (error, _, _) -> broken "127.0.0.1:%d: %s" port (Unix.error_message error)

let rec next t =
  match t.unread with
  | line :: rest ->
      t.unread <- rest;
      line
  | [] -> (
      match Lines.read t.lines with
      | None -> broken "the server has closed the connection"
      | Some lines ->
          t.unread <- lines;
          next t)

let reply t =
  match next t with
  | Too_long -> broken "a reply is too long"
  | Line line -> ( match reply_of_line line with Some reply -> reply | None -> broken "no reply: %S" line)

let ask_all t requests =
  Lines.write t.lines (String.concat "" (List.map line_of_request requests));
  List.map (fun _ -> reply t) requests

let ask t request = List.hd (ask_all t [ request ])

(** {1 Load} *)

type expected = Exactly of reply | Some_number

let is_right expected reply =
  match (expected, reply) with
  | Exactly expected, reply -> expected = reply
  | Some_number, Number _ -> true
  | Some_number, _ -> false

(* The [i]-th request of a client, and the reply to it. *)
let step ~prefix client i =
  let key = Printf.sprintf "%s%d:%d" prefix client (i / 4) and value = string_of_int (i / 4 * 7) in
  match i mod 4 with
  | 0 -> (Set (key, value), Exactly Done)
  | 1 -> (Get key, Exactly (Value value))
  | 2 -> (Add (prefix ^ "shared", 1), Some_number)
  | _ -> (Delete key, Exactly Done)

exception Wrong_reply of string

let check request expected reply =
  if not (is_right expected reply) then
    raise
      (Wrong_reply
         (Printf.sprintf "to %S the server said %S"
            (String.trim (line_of_request request))
            (String.trim (line_of_reply reply))))

let rec make ~prefix ~requests ~pipeline connection client from =
  if from < requests then begin
    let now = min pipeline (requests - from) in
    let steps = List.init now (fun i -> step ~prefix client (from + i)) in
    let replies = ask_all connection (List.map fst steps) in
    List.iter2 (fun (request, expected) reply -> check request expected reply) steps replies;
    make ~prefix ~requests ~pipeline connection client (from + now)
  end

(* When the server has closed its end, it has room for another connection. *)
let quit t =
  ignore (ask t Quit : reply);
  if Lines.read t.lines <> None then broken "the server goes on after QUIT"

let load ~port ~clients ~requests ~pipeline =
  let prefix = Printf.sprintf "load:%d:" (Unix.getpid ()) in
  (* Only whole steps, so that every key is deleted again. *)
  let requests = requests / 4 * 4 in
  let client i () =
    with_connection ~port (fun connection ->
        make ~prefix ~requests ~pipeline connection i 0;
        quit connection)
  in
  match Weft.all (List.init clients client) with
  | exception Wrong_reply what -> Error what
  | (_ : unit list) ->
      with_connection ~port (fun connection ->
          let shared = prefix ^ "shared" in
          let total = ask connection (Get shared) in
          ignore (ask connection (Delete shared) : reply);
          let expected = clients * requests / 4 in
          if total = Value (string_of_int expected) then Ok (clients * requests)
          else Error (Printf.sprintf "the shared counter should be %d, and is not" expected))
