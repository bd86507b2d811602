(* Programs to be profiled; the argument names one. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let rec plain_fib n = if n < 2 then n else plain_fib (n - 1) + plain_fib (n - 2)

(* Some 2 ms of processor time: that counts, and not the elapsed time on a busy machine. *)
let part () = ignore (Sys.opaque_identity (plain_fib 28))

let regions () =
  Weft.run (fun () ->
      Weft.Profile.region "shared" (fun () -> ignore (Weft.all (List.init 16 (fun _ -> part))));
      Weft.Profile.region "serial" (fun () ->
          for _ = 1 to 20 do
            part ()
          done))

(* By the process's own clock, which stands still while others have the processor. *)
let compute_for seconds =
  let until = Sys.time () +. seconds in
  while Sys.time () < until do
    part ()
  done

let programs =
  [
    ("fib", fun () -> Printf.printf "fib: %d\n" (Weft.run (fun () -> fib 15)));
    ("regions", regions);
    ( "outside",
      fun () ->
        Weft.run (fun () ->
            Weft.sleep 0.5;
            compute_for 0.2);
        compute_for 0.2 );
    ("several", fun () -> List.iter (fun n -> ignore (Weft.run ~domains:n (fun () -> fib 10))) [ 1; 2; 3 ]);
    ( "fails",
      fun () ->
        ignore (Weft.run (fun () -> fib 10));
        exit 3 );
    ( "leaves",
      fun () ->
        ignore (Weft.run (fun () -> fib 10));
        Unix._exit 0 );
    ( "dies",
      fun () ->
        ignore (Weft.run (fun () -> fib 10));
        Unix.kill (Unix.getpid ()) Sys.sigkill );
    ("raises", fun () -> ignore (Weft.run (fun () -> failwith "as it should")));
    ( "variable",
      fun () ->
        ignore (Weft.run (fun () -> fib 10));
        print_endline ("for others: '" ^ Option.value (Sys.getenv_opt "WEFT_PROFILE") ~default:"" ^ "'") );
  ]

let () = (List.assoc Sys.argv.(1) programs) ()
