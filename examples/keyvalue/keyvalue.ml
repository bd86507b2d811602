(* keyvalue serve, keyvalue load: a key-value server on the loopback address, and clients that keep it
   busy. Their protocol is in protocol.mli. *)

open Key_value
open Console

(* The exit codes; [--help] explains them. *)
let all_right = 0
let cannot_do = 2
let wrong_reply = 3
let complain format = Command_line.complain "keyvalue" format

let printed print =
  match Command_line.print print with
  | Ok () -> all_right
  | Error message ->
      complain "cannot write the result: %s" message;
      cannot_do

(** {1 The server} *)

(* A signal handler may resolve a promise: so the program waits for Ctrl-C by awaiting one. *)
let until_interrupted seconds =
  let stop = Weft.Promise.create () in
  let on_signal = Sys.Signal_handle (fun _ -> ignore (Weft.Promise.try_resolve stop () : bool)) in
  List.iter (fun signal -> Sys.set_signal signal on_signal) [ Sys.sigint; Sys.sigterm ];
  fun () ->
    match seconds with
    | None -> Weft.await stop
    | Some seconds -> (
        try Weft.Cancel.with_timeout seconds (fun () -> Weft.await stop) with Weft.Cancel.Timeout -> ())

let report server =
  let connections, requests = Server.served server in
  Printf.printf "%s, %s\n" (Printable.counted connections "connection") (Printable.counted requests "request")

let serve port connections idle seconds stats domains =
  match Server.listen ~connections ~idle ~port () with
  | exception Unix.Unix_error (error, _, _) ->
      complain "cannot listen at port %d: %s" port (Unix.error_message error);
      cannot_do
  | server -> (
      let until = until_interrupted seconds in
      let listening =
        printed (fun () -> Printf.printf "listening at 127.0.0.1:%d, until Ctrl-C\n" (Server.port server))
      in
      if listening <> all_right then listening
      else
        match Weft.run ?domains (fun () -> Server.run server ~until) with
        | exception Unix.Unix_error (error, call, _) ->
            complain "cannot go on: %s: %s" call (Unix.error_message error);
            cannot_do
        | () ->
            if stats then Format.eprintf "%a@." Weft_batch.Stats.pp (Server.map_stats server);
            printed (fun () -> report server))

(** {1 The clients} *)

let load port clients requests pipeline domains =
  let start = Weft.now () in
  match Weft.run ?domains (fun () -> Client.load ~port ~clients ~requests ~pipeline) with
  | exception Client.Broken why ->
      complain "%s" why;
      cannot_do
  | Error what ->
      complain "%s; unless others use these keys, this is a bug" what;
      wrong_reply
  | Ok made ->
      let seconds = Weft.now () -. start in
      printed (fun () ->
          Printf.printf "%s, %s, every reply right\n%s requests per second\n"
            (Printable.counted clients "client") (Printable.counted made "request")
            (Printable.number (int_of_float (float made /. seconds))))

(** {1 The command line} *)

open Cmdliner

let exits =
  Cmd.Exit.
    [
      info all_right ~doc:"if all went well.";
      info cannot_do
        ~doc:"if there is no port, no server, or a connection broke, or the result could not be written.";
      info wrong_reply ~doc:"if a reply was wrong ($(b,load)), which is a bug.";
      info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
      info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
    ]

let serve_command =
  let port =
    let doc = "Listen at this port; 0 is a free one, which the first line of output tells." in
    Arg.(value & opt (Command_line.between 0 65_535) 7379 & info [ "port" ] ~docv:"PORT" ~doc)
  and connections =
    let doc = "Serve at most $(docv) connections at the same time, 1 to 500; others get an error." in
    Arg.(value & opt (Command_line.between 1 500) 256 & info [ "connections" ] ~docv:"N" ~doc)
  and idle =
    let doc = "End a connection that has sent nothing for $(docv); 0: never." in
    Arg.(value & opt Command_line.seconds 300. & info [ "idle" ] ~docv:"SECONDS" ~doc)
  and seconds =
    let doc = "End after $(docv), as if by Ctrl-C." in
    Arg.(value & opt (some Command_line.seconds) None & info [ "seconds" ] ~docv:"SECONDS" ~doc)
  and stats =
    let doc = "Say on standard error, at the end, how large the batches of the map were." in
    Arg.(value & flag & info [ "stats" ] ~doc)
  in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Keeps keys and values in memory for clients on this machine, until Ctrl-C or the signal TERM. Each \
         connection is a fiber; the map is a batched one, so that requests that meet are applied together, \
         in parallel.";
      `S "PROTOCOL";
      `P "A line per request and a line per reply, in the same order:";
      `Pre
        "GET key          VALUE value, or NONE\n\
         SET key value    DONE\n\
         DELETE key       DONE, or NONE\n\
         ADD key n        NUMBER n, the sum\n\
         NEXT key         BINDING key value, of the least key above, or NONE\n\
         COUNT            NUMBER n, how many keys there are\n\
         QUIT             DONE, and the connection ends";
      `P
        "The reply to anything else is ERROR and what is wrong. A connection too many, and one that has been \
         idle for too long, get such a line too, and end.";
    ]
  in
  Cmd.v
    (Cmd.info "serve" ~doc:"serve keys and values" ~man ~exits)
    Term.(const serve $ port $ connections $ idle $ seconds $ stats $ Command_line.domains)

let load_command =
  let port =
    let doc = "The port of the server." in
    Arg.(value & opt (Command_line.between 1 65_535) 7379 & info [ "port" ] ~docv:"PORT" ~doc)
  and clients =
    let doc = "How many clients there are at the same time, 1 to 400." in
    Arg.(value & opt (Command_line.between 1 400) 8 & info [ "clients" ] ~docv:"N" ~doc)
  and requests =
    let doc = "How many requests each client makes, rounded down to a multiple of 4." in
    Arg.(value & opt (Command_line.at_least 4) 1000 & info [ "requests" ] ~docv:"N" ~doc)
  and pipeline =
    let doc = "Send $(docv) requests before waiting for replies, 1 to 100." in
    Arg.(value & opt (Command_line.between 1 100) 1 & info [ "pipeline" ] ~docv:"N" ~doc)
  in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Clients that set, read, add to and delete keys as fast as the server answers, and check every \
         reply. What they have set is gone at the end.";
    ]
  in
  Cmd.v
    (Cmd.info "load" ~doc:"keep a server busy, and check what it says" ~man ~exits)
    Term.(const load $ port $ clients $ requests $ pipeline $ Command_line.domains)

let command =
  let man =
    [
      `S Manpage.s_examples;
      `Pre
        "keyvalue serve --port 7379 &\n\
         keyvalue load --port 7379 --clients 50\n\
         printf 'SET a 1\\\\nGET a\\\\nQUIT\\\\n' | nc 127.0.0.1 7379";
    ]
  in
  Cmd.group
    (Cmd.info "keyvalue" ~doc:"a key-value server on a batched map, and its clients" ~man ~exits)
    [ serve_command; load_command ]

let () = exit (Cmd.eval' command)
