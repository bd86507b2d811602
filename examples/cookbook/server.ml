(* A TCP server. All connections share one pool, the default one, which nobody has to make: there are never more domains at
   work than the machine has processors, however many clients there are. A connection is a task; its computation forks as it
   likes, and while it waits for its client it holds no domain. *)

let primes_up_to n =
  let rec is_prime d n = d * d > n || (n mod d <> 0 && is_prime (d + 1) n) in
  Weft.parallel_for_reduce ~start:2 ~finish:n ~body:(fun i -> Bool.to_int (is_prime 2 i)) ( + ) 0

(* Reads the next line, [None] at the end. For short lines. *)
let reader socket =
  let bytes = Bytes.create 1024 in
  let rec line rest =
    match String.index_opt !rest '\n' with
    | Some i ->
        let first = String.sub !rest 0 i in
        rest := String.sub !rest (i + 1) (String.length !rest - i - 1);
        Some first
    | None -> (
        match Weft_unix.read socket bytes 0 (Bytes.length bytes) with
        | 0 -> None
        | n ->
            rest := !rest ^ Bytes.sub_string bytes 0 n;
            line rest)
  in
  let rest = ref "" in
  fun () -> line rest

(* Closes the socket whatever happens. *)
let talk socket f =
  let say text = Weft_unix.write_string socket (text ^ "\n") in
  Fun.protect ~finally:(fun () -> Weft_unix.close socket) (fun () -> f say (reader socket))

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
      (* A client that vanishes is no reason to stop. *)
      try loop () with Unix.Unix_error _ -> ())

(* Until it is cancelled, with all its connections. *)
let serve listening =
  Weft.Scope.run (fun connections ->
      let rec loop () =
        let socket, _ = Weft_unix.accept listening in
        Weft.Cancel.shield (fun () -> Weft.Scope.start connections (fun () -> answer socket));
        loop ()
      in
      loop ())

(* --- and clients, to try it --- *)

let ask address question =
  let socket = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  talk socket (fun say hear ->
      Weft_unix.connect socket address;
      say question;
      Option.value (hear ()) ~default:"no answer")

let () =
  let listening = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Unix.bind listening (ADDR_INET (Unix.inet_addr_loopback, 0));
  Unix.listen listening 16;
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
  Weft_unix.close listening;
  List.iter2 (Printf.printf "%-5s %s\n") questions answers
