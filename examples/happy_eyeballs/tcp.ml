type endpoint = { host : string; port : string }

let endpoint_of_string text =
  let wrong = Error (Printf.sprintf "%S is not HOST:PORT" text) in
  match String.rindex_opt text ':' with
  | None -> wrong
  | Some colon -> (
      let host = String.sub text 0 colon
      and port = String.sub text (colon + 1) (String.length text - colon - 1) in
      let n = String.length host in
      let in_brackets = n >= 2 && host.[0] = '[' && host.[n - 1] = ']' in
      let host = if in_brackets then String.sub host 1 (n - 2) else host in
      match (host, port) with
      | "", _ | _, "" -> wrong
      | _ when String.contains host ':' && not in_brackets -> wrong
      | _ -> Ok { host; port })

let addresses { host; port } =
  Weft.blocking (fun () -> Unix.getaddrinfo host port [ AI_SOCKTYPE SOCK_STREAM ])
  |> List.map (fun { Unix.ai_addr; _ } -> ai_addr)

let name = function
  | Unix.ADDR_UNIX path -> path
  | ADDR_INET (address, port) ->
      let host = Unix.string_of_inet_addr address in
      if String.contains host ':' then Printf.sprintf "[%s]:%d" host port
      else Printf.sprintf "%s:%d" host port

let connect address =
  let socket = Weft_unix.socket (Unix.domain_of_sockaddr address) SOCK_STREAM 0 in
  try
    Weft_unix.connect socket address;
    socket
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    Weft_unix.close socket;
    Printexc.raise_with_backtrace exn backtrace
