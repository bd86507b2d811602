(* The counters of all pools, served to Prometheus. The whole exchange is one blocking call: it runs on a helper thread, which has
   a domain of its own, so it is answered while all workers compute. *)

let response status text =
  Printf.sprintf
    "HTTP/1.1 %s\r\n\
     Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
     Content-Length: %d\r\n\
     Connection: close\r\n\
     \r\n\
     %s"
    status (String.length text) text

let answer_one listening =
  let socket, _ = Unix.accept ~cloexec:true listening in
  (* A slow client does not hold up the others for ever. *)
  Unix.setsockopt_float socket SO_RCVTIMEO 5.;
  Unix.setsockopt_float socket SO_SNDTIMEO 5.;
  let input = Unix.in_channel_of_descr socket and output = Unix.out_channel_of_descr socket in
  Fun.protect ~finally:(fun () -> close_out_noerr output) @@ fun () ->
  let rec skip_headers () =
    match In_channel.input_line input with None | Some ("" | "\r") -> () | Some _ -> skip_headers ()
  in
  match In_channel.input_line input with
  | None -> ()
  | Some request ->
      skip_headers ();
      Out_channel.output_string output
        (match String.split_on_char ' ' request with
        | "GET" :: "/metrics" :: _ -> response "200 OK" (Weft.Stats.to_prometheus ())
        | _ -> response "404 Not Found" "only /metrics is here\n");
      Out_channel.flush output

(* Until it is cancelled. *)
let rec serve listening =
  Weft.blocking (fun () ->
      match Unix.select [ listening ] [] [] 0.01 with
      | [], _, _ -> ()
      | _ -> (
          try answer_one listening with Unix.Unix_error _ | Sys_error _ -> (* the client has gone *) ()));
  Weft.Cancel.check ();
  serve listening

(* --- and a client, to try it --- *)

let get address path =
  Weft.blocking (fun () ->
      let input, output = Unix.open_connection address in
      Printf.fprintf output "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n%!" path;
      Fun.protect ~finally:(fun () -> close_in_noerr input) (fun () -> In_channel.input_all input))

let rec fib n =
  if n < 2 then n else Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) |> fun (a, b) -> a + b

let () =
  (* Writing to a client that has gone raises an exception, and does not end the process. *)
  Sys.set_signal Sys.sigpipe Signal_ignore;
  let listening = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Unix.bind listening (ADDR_INET (Unix.inet_addr_loopback, 0));
  Unix.listen listening 16;
  let address = Unix.getsockname listening in
  Weft.Scope.run (fun scope ->
      Weft.Scope.start scope (fun () -> serve listening);
      ignore (fib 15 : int);
      let has part line = String.starts_with ~prefix:part line in
      let metrics = String.split_on_char '\n' (get address "/metrics") in
      print_endline (String.trim (List.hd metrics));
      List.iter
        (fun line -> if has "# TYPE weft_forks" line || has "# TYPE weft_steals" line then print_endline line)
        metrics;
      print_endline (String.trim (List.hd (String.split_on_char '\n' (get address "/other"))));
      Weft.Scope.cancel scope);
  Unix.close listening
