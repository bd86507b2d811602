(* One small program per promise; the argument says which. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let print_fib () = Printf.printf "%d\n%!" (fib 20)

let programs =
  [
    ("fib", print_fib);
    ("domains", fun () -> Printf.printf "%d\n" (Weft.Pool.default_domains ()));
    ( "unawaited",
      fun () ->
        let p = Weft.async (fun () -> raise (Failure "forgotten")) in
        while not (Weft.Promise.is_settled p) do
          Weft.yield ()
        done;
        print_endline "main ends" );
    ( "exit-while-busy",
      fun () ->
        ignore
          (Weft.async (fun () ->
               while true do
                 Weft.yield ()
               done));
        print_fib () );
    ( "exit-in-task",
      fun () ->
        Weft.run (fun () ->
            let (), () = Weft.par (fun () -> exit 7) (fun () -> Unix.sleepf 0.01) in
            ()) );
    ( "exit-in-worker",
      fun () ->
        Weft.run ~domains:3 (fun () ->
            ignore
              (Weft.all
                 (List.init 6 (fun i () ->
                      Unix.sleepf 0.02;
                      if i = 5 then exit 8)))) );
    ("uncaught-in-main", fun () -> Weft.run (fun () -> failwith "seen by main"));
    ( "spawn-limit",
      fun () ->
        (* More domains than the runtime allows: several pools share what there is. *)
        let pools = List.init 3 (fun _ -> Weft.Pool.create ~domains:3 ()) in
        List.iter (fun p -> Printf.printf "%d " (Weft.Pool.run p (fun () -> fib 12))) pools;
        let detached = List.map (fun p -> Weft.Pool.async p (fun () -> fib 10)) pools in
        List.iter (fun p -> Printf.printf "%d " (Weft.await p)) detached;
        List.iter Weft.Pool.close pools;
        Printf.printf "%d\n" (Weft.run ~domains:2 (fun () -> Weft.run ~domains:2 (fun () -> fib 12))) );
    ( "interrupt",
      fun () ->
        Sys.catch_break true;
        let never = Weft.Promise.create () in
        print_endline "ready";
        flush stdout;
        match Weft.run ~domains:3 (fun () -> (Weft.await never : unit)) with
        | () -> ()
        | exception Sys.Break ->
            print_endline "interrupted";
            exit 9 );
    ( "interrupt-busy",
      fun () ->
        Sys.catch_break true;
        print_endline "ready";
        flush stdout;
        match
          Weft.run ~domains:2 (fun () ->
              while true do
                ignore (fib 15)
              done)
        with
        | () -> ()
        | exception Sys.Break ->
            print_endline "interrupted";
            exit 9 );
    ( "create-process",
      fun () ->
        ignore (Weft.run (fun () -> fib 10));
        let pid = Unix.create_process "true" [| "true" |] Unix.stdin Unix.stdout Unix.stderr in
        match Unix.waitpid [] pid with _, WEXITED 0 -> print_endline "started" | _ -> print_endline "failed"
    );
  ]

let () = (List.assoc Sys.argv.(1) programs) ()
