(* The example program keyvalue: its server's replies to good and bad requests, and how it ends. Every
   server ends by itself after an hour, whatever happens to the test. *)

open Key_value

(* --- a server process --- *)

type server = { process : int; out : in_channel; port : int }

let read_port line =
  try Scanf.sscanf line "listening at 127.0.0.1:%d, until Ctrl-C" Fun.id
  with _ -> Alcotest.failf "the first line of the server is %S" line

let start arguments =
  let out, out_fd = Unix.pipe ~cloexec:true () in
  let exe = Program.path "keyvalue" in
  let arguments = Array.of_list ([ exe; "serve"; "--port"; "0"; "--seconds"; "3600" ] @ arguments) in
  let process = Unix.create_process exe arguments Unix.stdin out_fd Unix.stderr in
  Unix.close out_fd;
  let out = Unix.in_channel_of_descr out in
  { process; out; port = read_port (input_line out) }

(* Its exit code, and the rest of its output. *)
let ended server =
  let code =
    match snd (Unix.waitpid [] server.process) with
    | WEXITED code -> code
    | WSIGNALED n | WSTOPPED n -> 1000 + n
  in
  (code, In_channel.input_all server.out)

let kill server signal = try Unix.kill server.process signal with Unix.Unix_error _ -> ()

let with_server ?(arguments = []) f =
  let server = start arguments in
  Fun.protect
    ~finally:(fun () ->
      kill server Sys.sigkill;
      (try ignore (Unix.waitpid [] server.process) with Unix.Unix_error _ -> ());
      close_in server.out)
    (fun () -> f server)

(* --- a connection, byte by byte --- *)

let with_socket server f =
  let socket = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Fun.protect
    ~finally:(fun () -> Unix.close socket)
    (fun () ->
      Unix.connect socket (ADDR_INET (Unix.inet_addr_loopback, server.port));
      f socket)

let send socket text = ignore (Unix.write_substring socket text 0 (String.length text) : int)

let receive_all socket =
  let chunk = Bytes.create 4096 and all = Buffer.create 100 in
  let rec go_on () =
    match Unix.read socket chunk 0 4096 with
    | 0 -> Buffer.contents all
    | n ->
        Buffer.add_subbytes all chunk 0 n;
        go_on ()
  in
  go_on ()

let converse server text =
  with_socket server (fun socket ->
      send socket text;
      Unix.shutdown socket SHUTDOWN_SEND;
      receive_all socket)

let check_conversation server lines =
  let said = converse server (String.concat "" (List.map (fun (request, _) -> request ^ "\n") lines)) in
  Alcotest.(check (list string)) "replies" (List.map snd lines) (Program.lines said)

(* --- tests --- *)

let requests_are_read_as_they_are_written () =
  List.iter
    (fun request ->
      let line = Protocol.line_of_request request in
      let read = Protocol.request_of_line (String.sub line 0 (String.length line - 1)) in
      if read <> Ok request then Alcotest.failf "%S" line)
    [ Get "a"; Set ("a", ""); Set ("a", " b c "); Delete "\xc3\xa4"; Add ("a", -4); Next "~"; Count; Quit ]

let replies_are_as_documented () =
  with_server @@ fun server ->
  check_conversation server
    [
      ("GET a", "NONE");
      ("SET a 1", "DONE");
      ("GET a", "VALUE 1");
      ("ADD a 41", "NUMBER 42");
      ("ADD new -3", "NUMBER -3");
      ("SET b x  y \r", "DONE");
      ("GET b", "VALUE x  y ");
      ("ADD b 1", "ERROR the value is not a number");
      ("GET b", "VALUE x  y ");
      ("NEXT a", "BINDING b x  y ");
      ("NEXT b", "BINDING new -3");
      ("NEXT new", "NONE");
      ("COUNT", "NUMBER 3");
      ("DELETE a", "DONE");
      ("DELETE a", "NONE");
      ("SET empty ", "DONE");
      ("GET empty", "VALUE ");
      ("QUIT", "DONE");
    ]

let long n = String.make n 'x'

let bad_requests_are_answered_and_do_no_harm () =
  with_server @@ fun server ->
  let is_error line = String.starts_with ~prefix:"ERROR " line in
  let bad =
    [
      "get a";
      "";
      " ";
      "GET";
      "GET ";
      "GET a b";
      "SET";
      "SET a";
      "SET  b";
      "ADD a";
      "ADD a b";
      "ADD a 1.5";
      "COUNT all";
      "GET " ^ long 251;
      "GET a\tb";
      "\x00\xff";
      "SET a " ^ long Lines.limit;
      long 1_000_000;
    ]
  in
  List.iter
    (fun request ->
      match Program.lines (converse server (request ^ "\nCOUNT\n")) with
      | [ error; "NUMBER 0" ] when is_error error -> ()
      | said -> Alcotest.failf "%S: %s" request (String.concat " | " said))
    bad;
  let most = "SET a " ^ long (Lines.limit - 6) in
  Alcotest.(check string) "the longest line" "DONE\n" (converse server (most ^ "\n"));
  Alcotest.(check string) "one with a return" "DONE\n" (converse server (most ^ "\r\n"))

let lines_may_come_in_pieces () =
  with_server ~arguments:[ "--idle"; "3600" ] @@ fun server ->
  with_socket server @@ fun socket ->
  String.iter
    (fun c ->
      send socket (String.make 1 c);
      Unix.sleepf 0.001)
    "SET a 1\r\nGET a\nGET b";
  Unix.shutdown socket SHUTDOWN_SEND;
  (* The last line is incomplete. *)
  Alcotest.(check string) "replies" "DONE\nVALUE 1\n" (receive_all socket)

let load server arguments =
  Program.run "keyvalue" ([ "load"; "--port"; string_of_int server.port ] @ arguments)

let many_clients_get_the_right_replies () =
  List.iter
    (fun domains ->
      with_server ~arguments:[ "--domains"; domains; "--connections"; "300" ] @@ fun server ->
      List.iter
        (fun (clients, requests, pipeline) ->
          let answer = load server [ "--clients"; clients; "--requests"; requests; "--pipeline"; pipeline ] in
          Alcotest.(check (pair int string)) "exit code" (0, "") (answer.code, answer.err);
          let total = int_of_string clients * int_of_string requests in
          let expected =
            Printf.sprintf "%s clients, %s requests, every reply right" clients
              (Console.Printable.number total)
          in
          Alcotest.(check string) "first line" expected (List.hd (Program.lines answer.out)))
        [ ("2", "40", "1"); ("20", "200", "7"); ("300", "8", "100") ];
      Alcotest.(check string) "nothing is left" "NUMBER 0\n" (converse server "COUNT\n"))
    [ "1"; "2"; "4" ]

let converses socket =
  send socket "COUNT\n";
  Alcotest.(check int) "reply" 9 (Unix.read socket (Bytes.create 100) 0 100)

(* The connection that is one too many sends nothing, so closing it cannot reset it. *)
let a_connection_too_many_gets_an_error () =
  List.iter
    (fun (limit, arguments) ->
      with_server ~arguments @@ fun server ->
      let rec with_others n f =
        if n = 0 then f ()
        else
          with_socket server @@ fun socket ->
          converses socket;
          with_others (n - 1) f
      in
      with_socket server @@ fun first ->
      converses first;
      with_others (limit - 1) @@ fun () ->
      let why = Printf.sprintf "ERROR there are %d connections already\n" limit in
      Alcotest.(check string) "one too many" why (with_socket server receive_all);
      converses first;
      send first "QUIT\n";
      Alcotest.(check string) "one ends" "DONE\n" (receive_all first);
      Alcotest.(check string) "there is room" "NUMBER 0\nDONE\n" (converse server "COUNT\nQUIT\n"))
    [ (256, []); (2, [ "--connections"; "2" ]) ]

(* The server is stopped while the client sends: the client's time does not count. *)
let idle_connections_end () =
  with_server ~arguments:[ "--connections"; "1"; "--idle"; "0.1" ] @@ fun server ->
  let idle = "ERROR idle for 0.1 seconds\n" in
  Alcotest.(check string) "nothing said" idle (with_socket server receive_all);
  let is_stopped () =
    match Testing.Threads.state_and_parent server.process with Some (state, _) -> state = 'T' | None -> true
  in
  kill server Sys.sigstop;
  Testing.Watchdog.until "the server is stopped" is_stopped;
  (* There is room again. *)
  Alcotest.(check string)
    "in the middle of a line" idle
    (with_socket server (fun socket ->
         send socket "SET a";
         kill server Sys.sigcont;
         receive_all socket))

let signals_end_it () =
  List.iter
    (fun (name, signal) ->
      with_server @@ fun server ->
      with_socket server @@ fun idle ->
      send idle "SET a 1\nGET";
      ignore (Unix.read idle (Bytes.create 100) 0 100 : int);
      kill server signal;
      Alcotest.(check (pair int string)) name (0, "1 connection, 1 request\n") (ended server);
      Alcotest.(check string) "the connection is closed" "" (receive_all idle))
    [ ("Ctrl-C", Sys.sigint); ("TERM", Sys.sigterm) ]

let it_ends_in_time () =
  let answer = Program.run "keyvalue" [ "serve"; "--port"; "0"; "--seconds"; "0.1" ] in
  Alcotest.(check (pair int string)) "exit code" (0, "") (answer.code, answer.err)

let a_port_in_use_is_an_error () =
  with_server @@ fun server ->
  Program.check_one_line "in use" ~code:2
    [ Printf.sprintf "keyvalue: cannot listen at port %d: Address already in use" server.port ]
    (Program.run "keyvalue" [ "serve"; "--port"; string_of_int server.port ])

let no_server_is_an_error () =
  (* Bound, so that nobody else gets the port, and without a listener. *)
  let socket = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Fun.protect ~finally:(fun () -> Unix.close socket) @@ fun () ->
  Unix.bind socket (ADDR_INET (Unix.inet_addr_loopback, 0));
  let port = match Unix.getsockname socket with ADDR_INET (_, port) -> port | ADDR_UNIX _ -> assert false in
  Program.check_one_line "no server" ~code:2
    [ Printf.sprintf "keyvalue: 127.0.0.1:%d: Connection refused" port ]
    (Program.run "keyvalue" [ "load"; "--port"; string_of_int port ])

let an_unwritable_output_is_an_error () =
  Program.check_unwritable "keyvalue" [ "serve"; "--port"; "0"; "--seconds"; "0.1" ]

let wrong_options_are_refused () =
  List.iter (Program.check_refused "keyvalue")
    [
      [];
      [ "serve"; "--port"; "65536" ];
      [ "serve"; "--connections"; "0" ];
      [ "serve"; "--idle"; "-1" ];
      [ "serve"; "--seconds"; "-1" ];
      [ "load"; "--clients"; "0" ];
      [ "load"; "--pipeline"; "0" ];
      [ "load"; "127.0.0.1" ];
    ]

let () =
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "keyvalue"
    [
      ( "protocol",
        [
          test "requests are read as they are written" requests_are_read_as_they_are_written;
          test "replies are as documented" replies_are_as_documented;
          test "bad requests are answered and do no harm" bad_requests_are_answered_and_do_no_harm;
          test "lines may come in pieces" lines_may_come_in_pieces;
        ] );
      ( "server",
        [
          test "many clients get the right replies" many_clients_get_the_right_replies;
          test "a connection too many gets an error" a_connection_too_many_gets_an_error;
          test "idle connections end" idle_connections_end;
          test "signals end it" signals_end_it;
          test "it ends in time" it_ends_in_time;
        ] );
      ( "errors",
        [
          test "a port in use is an error" a_port_in_use_is_an_error;
          test "no server is an error" no_server_is_an_error;
          test "an unwritable output is an error" an_unwritable_output_is_an_error;
          test "wrong options are refused" wrong_options_are_refused;
        ] );
    ]
