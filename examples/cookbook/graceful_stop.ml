(* A server that stops within a time limit, even while its requests keep all domains busy. It accepts no more connections, gives
   those that are open [grace] seconds, and cancels what is left: a request ends where it forks or waits, or between two blocks
   of a loop. *)
let serve listening ~stop ~grace answer =
  let connection socket () =
    Fun.protect
      ~finally:(fun () -> Weft_unix.close socket)
      (fun () -> try answer socket with Unix.Unix_error _ -> () (* the client has gone *))
  in
  Weft.Scope.run (fun clock ->
      Weft.Scope.run (fun connections ->
          let rec accept_all () =
            let socket, _ = Weft_unix.accept listening in
            (* Shielded: a socket that has been accepted is not lost. *)
            Weft.Cancel.shield (fun () -> Weft.Scope.start connections (connection socket));
            accept_all ()
          in
          (try Weft.Cancel.within stop accept_all with Weft.Cancel.Cancelled _ -> Weft_unix.close listening);
          Weft.Scope.start clock (fun () ->
              Weft.sleep grace;
              Weft.Scope.cancel connections));
      (* All connections have ended: nobody needs the clock any more. *)
      Weft.Scope.cancel clock)

(* --- to try it: some requests would never end --- *)

let rec fib n =
  if n < 2 then n else Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) |> fun (a, b) -> a + b

let rec for_ever () =
  ignore (fib 20 : int);
  for_ever ()

let answer begun socket =
  match Weft_unix.read_all socket with
  | "for ever" ->
      Weft.Latch.count_down begun;
      for_ever ()
  | n -> Weft_unix.write_string socket (string_of_int (fib (int_of_string n)))

let ask address question =
  let socket = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Fun.protect ~finally:(fun () -> Weft_unix.close socket) @@ fun () ->
  Weft_unix.connect socket address;
  Weft_unix.write_string socket question;
  Unix.shutdown socket SHUTDOWN_SEND;
  Weft_unix.read_all socket

let () =
  let listening = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Unix.bind listening (ADDR_INET (Unix.inet_addr_loopback, 0));
  Unix.listen listening 16;
  let address = Unix.getsockname listening in
  let n = Weft.Pool.default_domains () in
  let stop = Weft.Cancel.create () and begun = Weft.Latch.create n in
  Weft.Scope.run (fun scope ->
      Weft.Scope.start scope (fun () -> serve listening ~stop ~grace:0.1 (answer begun));
      let endless = List.init n (fun _ -> Weft.Scope.async scope (fun () -> ask address "for ever")) in
      Weft.Latch.wait begun;
      Printf.printf "answered beside them: %s\n" (ask address "15");
      Weft.Cancel.cancel stop;
      let cut_off = List.for_all (fun reply -> Weft.await reply = "") endless in
      Printf.printf "the others are cut off: %b\n" cut_off)
