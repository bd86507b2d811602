(* A TCP server. All connections share one pool, the default one, which nobody has to make: there are never more domains at
   work than the machine has processors, however many clients there are. A connection is a task; its computation forks as it
   likes; system calls that block go to helper threads. *)

let primes_up_to n =
  let rec is_prime d n = d * d > n || (n mod d <> 0 && is_prime (d + 1) n) in
  Weft.parallel_for_reduce ~start:2 ~finish:n ~body:(fun i -> Bool.to_int (is_prime 2 i)) ( + ) 0

(* Closes the socket whatever happens. *)
let talk socket f =
  let input = Unix.in_channel_of_descr socket and output = Unix.out_channel_of_descr socket in
  let say text =
    Weft.blocking (fun () ->
        output_string output (text ^ "\n");
        flush output)
  and hear () = Weft.blocking (fun () -> In_channel.input_line input) in
  Fun.protect ~finally:(fun () -> close_out_noerr output) (fun () -> f say hear)

let answer socket =
  talk socket (fun say hear ->
      let rec loop () =
        match hear () with
        | None -> ()
        | Some line ->
            say
              (match int_of_string_opt line with
              | Some n -> string_of_int (primes_up_to n)
              | None -> "not a number");
            loop ()
      in
      loop ())

(* Ends when it is cancelled, as soon as its clients have gone (examples/keyvalue shuts their connections down), or when one of
   its connections fails: a server that is to go on then catches what [answer] raises. *)
let serve listening =
  Weft.Scope.run (fun connections ->
      let rec loop () =
        (* A thread that waits in [accept] could not be cancelled; one that looks now and then can. *)
        (match Weft.blocking (fun () -> Unix.select [ listening ] [] [] 0.01) with
        | [], _, _ -> Weft.Cancel.check ()
        | _ -> (
            match Unix.accept ~cloexec:true listening with
            | socket, _ ->
                Unix.clear_nonblock socket;
                Weft.Scope.start connections (fun () -> answer socket)
            (* The client has gone meanwhile: to wait for the next one here would hold up a domain. *)
            | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK | ECONNABORTED), _, _) -> ()));
        loop ()
      in
      loop ())

(* --- and clients, to try it --- *)

let ask address question =
  let socket = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  talk socket (fun say hear ->
      Weft.blocking (fun () -> Unix.connect socket address);
      say question;
      Option.value (hear ()) ~default:"no answer")

let () =
  (* Writing to a client that has gone raises an exception, and does not end the process. *)
  Sys.set_signal Sys.sigpipe Signal_ignore;
  let listening = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Unix.bind listening (ADDR_INET (Unix.inet_addr_loopback, 0));
  Unix.listen listening 16;
  Unix.set_nonblock listening;
  let address = Unix.getsockname listening in
  let questions = [ "10"; "100"; "1000"; "10000"; "ten" ] in
  let answers =
    Weft.Scope.run (fun scope ->
        Weft.Scope.start scope (fun () -> serve listening);
        let answers =
          List.map (fun question -> Weft.Scope.async scope (fun () -> ask address question)) questions
          |> List.map Weft.await
        in
        Weft.Scope.cancel scope;
        answers)
  in
  Unix.close listening;
  List.iter2 (Printf.printf "%-5s %s\n") questions answers
