(* Sockets, pipes and programs: a fiber that waits for them holds no domain. *)

let read_text fd n =
  let buffer = Bytes.create n in
  let got = Weft_unix.read fd buffer 0 n in
  Bytes.sub_string buffer 0 got

let () =
  (* A server with a fiber for each connection, and a client. *)
  Weft.run @@ fun () ->
  let listener = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Unix.bind listener (ADDR_INET (Unix.inet_addr_loopback, 0));
  Unix.listen listener 16;
  let answer (socket, _) =
    Weft_unix.write_string socket ("you said " ^ read_text socket 80);
    Weft_unix.close socket
  in
  let server = Weft.async (fun () -> answer (Weft_unix.accept listener)) in
  let client = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Weft_unix.connect ~timeout:100. client (Unix.getsockname listener);
  Weft_unix.write_string client "hello";
  print_endline (Weft_unix.read_all client);
  Weft.await server;
  List.iter Weft_unix.close [ client; listener ]

let () =
  (* Nothing comes: the time-out ends the wait. A peer that has gone is an exception, and no signal. *)
  let a, b = Weft_unix.socketpair () in
  (match Weft_unix.read ~timeout:0.01 a (Bytes.create 1) 0 1 with
  | n -> Printf.printf "%d bytes?\n" n
  | exception Weft.Cancel.Timeout -> print_endline "nothing came");
  Weft_unix.close b;
  (match Weft_unix.write a (Bytes.of_string "x") 0 1 with
  | () -> print_endline "written?"
  | exception Unix.Unix_error (EPIPE, _, _) -> print_endline "nobody is there");
  Weft_unix.close a

let () =
  let input, output = Weft_unix.pipe () in
  Weft_unix.wait_writable output;
  Printf.printf "%d byte\n" (Weft_unix.single_write output (Bytes.of_string "y") 0 1);
  Weft_unix.wait_readable input;
  List.iter Weft_unix.close [ input; output ]

let () =
  (* Programs, at the same time; what they print, and how they end. *)
  let run line = Weft_unix.run ~stdin:"3\n1\n2\n" [ "sh"; "-c"; line ] in
  let sorted, counted = Weft.par (fun () -> run "sort") (fun () -> run "wc -l") in
  Printf.printf "%s%d\n" sorted.stdout (int_of_string (String.trim counted.stdout));
  (* The time-out stops what the shell has started, too. What they had written is in [c.stdout]. *)
  (match
     Weft_unix.run ~timeout:0.05 ~grace:60. ~group:true [ "sh"; "-c"; "echo so far; sleep 1000; echo done" ]
   with
  | _ -> print_endline "it ended?"
  | exception Weft_unix.Timed_out c -> Printf.printf "stopped: %b\n" (c.status = WSIGNALED Sys.sigterm));
  let start () = Unix.create_process "sleep" [| "sleep"; "1000" |] Unix.stdin Unix.stdout Unix.stderr in
  Printf.printf "%b\n" (Weft_unix.stop ~grace:60. (start ()) = WSIGNALED Sys.sigterm);
  let short = Unix.create_process "true" [| "true" |] Unix.stdin Unix.stdout Unix.stderr in
  Printf.printf "%b\n" (Weft_unix.waitpid short = WEXITED 0)
