(* The example program happy_eyeballs: which attempt wins the race, and that nothing is left open. *)

open Eyeballs

(* The losing attempts would take an hour, and so would a time-out that is not meant to fire: the watchdog
   does not wait so long. *)
let race ?(timeout = "3600") arguments = Program.run "happy_eyeballs" ("--timeout" :: timeout :: arguments)

let winner what { Program.code; out; err } =
  Alcotest.(check int) (what ^ ": exit code; " ^ err) 0 code;
  match String.split_on_char ' ' out with
  | "connected" :: "to" :: name :: "after" :: _ -> name
  | _ -> Alcotest.failf "%s: no winner in %S" what out

let check_winner what expected answer = Alcotest.(check string) what expected (winner what answer)

(* --- simulated endpoints --- *)

let the_first_answer_wins () =
  List.iter
    (fun domains ->
      let race endpoints = race ([ "--stagger"; "0.05"; "--domains"; domains ] @ endpoints) in
      check_winner "the second is faster" "v4" (race [ "v6:3600:ok"; "v4:0.01:ok" ]);
      check_winner "alone" "v6" (race [ "v6:0:ok" ]);
      check_winner "among many" "x" (race (List.init 9 (Printf.sprintf "a%d:3600:ok") @ [ "x:0:ok" ])))
    [ "1"; "2"; "3" ]

let losers_are_cancelled () =
  let answer = race [ "-v"; "--stagger"; "0.05"; "slow:3600:ok"; "fast:0.01:ok" ] in
  check_winner "fast" "fast" answer;
  let said part =
    if not (Program.contains answer.err part) then Alcotest.failf "%S is not in %S" part answer.err
  in
  List.iter said [ "slow: starts"; "fast: starts"; "fast: connected"; "slow: cancelled" ]

let who_answers_in_time_is_alone () =
  let answer = race [ "-v"; "--stagger"; "3600"; "first:0.01:ok"; "second:0:ok" ] in
  check_winner "first" "first" answer;
  Alcotest.(check bool) "the second has not started" false (Program.contains answer.err "second")

let a_failure_starts_the_next_at_once () =
  let answer = race [ "--stagger"; "3600"; "a:0:fail"; "b:0.01:fail"; "c:0:ok" ] in
  check_winner "c" "c" answer

let all_failures_are_named () =
  let answer = race [ "--stagger"; "0.5"; "a:0.3:fail"; "b:0:fail" ] in
  Alcotest.(check (pair int string)) "exit code" (1, "") (answer.code, answer.out);
  Alcotest.(check (list string))
    "each"
    [ "happy_eyeballs: a: refused"; "happy_eyeballs: b: refused" ]
    (Program.lines answer.err)

let time_is_limited () =
  List.iter
    (fun endpoints ->
      Program.check_one_line "exit code 3" ~code:3 [ "no connection within 0.1 s" ]
        (race ~timeout:"0.1" ([ "--stagger"; "0.02" ] @ endpoints)))
    [ [ "a:3600:ok" ]; [ "a:3600:ok"; "b:0.01:fail" ]; [ "a:3600:fail"; "b:3600:ok"; "c:3600:ok" ] ]

let wrong_command_lines_are_refused () =
  List.iter
    (Program.check_refused "happy_eyeballs")
    [
      [];
      [ "a" ];
      [ "a:1" ];
      [ "a:b:ok" ];
      [ "a:-1:ok" ];
      [ "a:nan:ok" ];
      [ "a:1:perhaps" ];
      [ "a:1:ok"; "b" ];
      [ "--timeout"; "-1"; "a:1:ok" ];
      [ "--stagger"; "nan"; "a:1:ok" ];
      [ "--tcp"; "localhost" ];
      [ "--tcp"; ":80" ];
      [ "--tcp"; "localhost:" ];
      [ "--tcp"; "::1:80" ];
    ]

let an_unwritable_output_is_an_error () =
  Program.check_unwritable "happy_eyeballs" [ "--timeout"; "3600"; "a:0:ok" ]

(* --- sockets --- *)

let loopback port = Unix.ADDR_INET (Unix.inet_addr_loopback, port)

let port_of socket =
  match Unix.getsockname socket with ADDR_INET (_, port) -> port | ADDR_UNIX _ -> assert false

let with_socket f =
  let socket = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Fun.protect
    ~finally:(fun () -> Unix.close socket)
    (fun () ->
      Unix.bind socket (loopback 0);
      f socket (port_of socket))

(* Connections wait in the socket's queue until it is closed. *)
let with_listener f =
  with_socket (fun socket port ->
      Unix.listen socket 200;
      f port)

(* A port that is taken, but on which nobody listens. *)
let with_closed_port f = with_socket (fun _ port -> f port)

(* A port that does not respond: its queue is full. *)
let with_mute_port f =
  with_socket @@ fun socket port ->
  Unix.listen socket 0;
  let rec fill fillers n =
    if n = 0 then fillers
    else begin
      let filler = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
      Unix.set_nonblock filler;
      (try Unix.connect filler (loopback port) with Unix.Unix_error (EINPROGRESS, _, _) -> ());
      fill (filler :: fillers) (n - 1)
    end
  in
  let fillers = fill [] 4 in
  Fun.protect ~finally:(fun () -> List.iter Unix.close fillers) (fun () -> f port)

let at port = Printf.sprintf "127.0.0.1:%d" port

let real_connections_race () =
  with_listener @@ fun listening ->
  with_closed_port @@ fun closed ->
  let race endpoints = race ([ "--tcp"; "--stagger"; "0.1" ] @ endpoints) in
  check_winner "listening" (at listening) (race [ at listening ]);
  check_winner "behind a closed port" (at listening) (race [ at closed; at listening ]);
  check_winner "before a closed port" (at listening) (race [ at listening; at closed ]);
  Program.check_one_line "closed" ~code:1 [ at closed; "Connection refused" ] (race [ at closed ]);
  with_mute_port @@ fun mute ->
  check_winner "behind a mute port" (at listening) (race [ at mute; at listening ]);
  Program.check_one_line "mute" ~code:3 [ "no connection within 0.2 s" ]
    (Program.run "happy_eyeballs" [ "--tcp"; "--timeout"; "0.2"; at mute ])

(* Without /etc/hosts (a bare chroot), no host has a name. *)
let is_localhost_known () =
  Unix.getaddrinfo "localhost" "" [ AI_FAMILY PF_INET; AI_SOCKTYPE SOCK_STREAM ] <> []

let hosts_have_names () =
  with_listener @@ fun listening ->
  let by_name = Printf.sprintf "localhost:%d" listening in
  if is_localhost_known () then check_winner "localhost" (at listening) (race [ "--tcp"; by_name ])
  else print_endline "localhost: left out, this system does not know it";
  Program.check_one_line "no such port" ~code:1
    [ "127.0.0.1:no-such-port"; "no such host or port" ]
    (race [ "--tcp"; "127.0.0.1:no-such-port" ])

(* --- connections left open --- *)

let open_sockets () =
  let is_socket fd =
    match Unix.readlink (Filename.concat "/proc/self/fd" fd) with
    | file -> String.starts_with ~prefix:"socket:" file
    | exception Unix.Unix_error _ -> false
  in
  List.length (List.filter is_socket (Array.to_list (Sys.readdir "/proc/self/fd")))

let sockets_are_closed () =
  if Sys.file_exists "/proc/self/fd" then
    List.iter
      (fun domains ->
        with_listener @@ fun listening ->
        with_closed_port @@ fun closed ->
        with_mute_port @@ fun mute ->
        Weft.run ~domains @@ fun () ->
        let attempt port = { Race.name = at port; connect = (fun () -> Tcp.connect (loopback port)) } in
        let before = open_sockets () in
        for round = 1 to 20 do
          let ports = [ mute; listening; closed; listening; listening ] in
          (match Race.run ~stagger:0. ~close:Weft_unix.close (List.map attempt ports) with
          | Ok (_, winner) ->
              Alcotest.(check int) "only the winner is open" (before + 1) (open_sockets ());
              Weft_unix.close winner
          | Error _ -> Alcotest.fail "nobody won");
          (match
             Weft.Cancel.with_timeout
               (0.0005 *. float round)
               (fun () ->
                 Race.run ~stagger:0. ~close:Weft_unix.close (List.map attempt [ mute; closed; listening ]))
           with
          | Ok (_, winner) -> Weft_unix.close winner
          | Error _ -> Alcotest.fail "all failed, the mute one too"
          | exception Weft.Cancel.Timeout -> ());
          Alcotest.(check int) "none is open" before (open_sockets ())
        done)
      [ 1; 2; 3 ]

(* Simulated connections, many of which end at the same time, in races that a timeout may end at that very
   time. *)
let at_most_the_winner_is_open () =
  let random = Random.State.make [| 31 |] in
  let opened = Atomic.make 0 and won = ref 0 and out_of_time = ref 0 in
  Testing.Watchdog.until_undisturbed "there have been winners and timeouts" @@ fun () ->
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      for round = 1 to 60 do
        let ticks () = 0.001 *. float (Random.State.int random 5) in
        let attempt i =
          let delay = ticks () and succeeds = Random.State.int random 3 > 0 in
          let connect () =
            Weft.sleep delay;
            if not succeeds then raise Simulated.Refused;
            Atomic.incr opened
          in
          { Race.name = string_of_int i; connect }
        in
        let close () = Atomic.decr opened in
        let attempts = List.init (1 + Random.State.int random 6) attempt in
        let stagger = ticks () and timeout = if Random.State.bool random then ticks () else 3600. in
        (match Weft.Cancel.with_timeout timeout (fun () -> Race.run ~stagger ~close attempts) with
        | Ok (_, ()) ->
            incr won;
            Alcotest.(check int) (Printf.sprintf "round %d: open" round) 1 (Atomic.get opened);
            close ()
        | Error failed ->
            Alcotest.(check int) "failed" (List.length attempts) (List.length failed);
            List.iter
              (fun (_, exn) ->
                if exn <> Simulated.Refused then Alcotest.failf "failed by %s" (Printexc.to_string exn))
              failed
        | exception Weft.Cancel.Timeout -> incr out_of_time);
        Alcotest.(check int) (Printf.sprintf "round %d: open in the end" round) 0 (Atomic.get opened)
      done)
    [ 1; 2; 3 ];
  if !won > 10 && !out_of_time > 10 then Ok () else Error (Printf.sprintf "%d, %d" !won !out_of_time)

let nobody_is_no_race () =
  match Race.run ~stagger:0. ~close:ignore [] with
  | Error [] -> ()
  | Error (_ :: _) | Ok _ -> Alcotest.fail "somebody"

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "happy eyeballs"
    [
      ( "race",
        [
          test "at most the winner is open" at_most_the_winner_is_open;
          test "sockets are closed" sockets_are_closed;
          test "nobody is no race" nobody_is_no_race;
        ] );
      ( "program",
        [
          test "the first answer wins" the_first_answer_wins;
          test "losers are cancelled" losers_are_cancelled;
          test "an address that answers in time is alone" who_answers_in_time_is_alone;
          test "a failure starts the next at once" a_failure_starts_the_next_at_once;
          test "all failures are named" all_failures_are_named;
          test "time is limited" time_is_limited;
          test "real connections race" real_connections_race;
          test "hosts have names" hosts_have_names;
          test "wrong command lines are refused" wrong_command_lines_are_refused;
          test "an unwritable output is an error" an_unwritable_output_is_an_error;
        ] );
    ]
