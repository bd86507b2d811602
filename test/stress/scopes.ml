open Kit

let timeouts st =
  let n = 50 + ri st 200 in
  let alive = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init n (fun _ ->
            let st = split () in
            fun () ->
              try
                Weft.Cancel.with_timeout (tiny st) (fun () ->
                    Atomic.incr alive;
                    Fun.protect
                      ~finally:(fun () -> Atomic.decr alive)
                      (fun () ->
                        match ri st 4 with
                        | 0 -> Weft.sleep (tiny st)
                        | 1 -> Weft.await (Weft.Promise.create ())
                        | 2 -> (
                            try Weft.Cancel.with_timeout (tiny st) (fun () -> Weft.sleep 1.)
                            with Weft.Cancel.Timeout -> Weft.yield ())
                        | _ ->
                            while true do
                              Weft.yield ()
                            done))
              with Weft.Cancel.Timeout -> ())));
  check "timeouts alive" (Atomic.get alive = 0);
  did n

let limit st =
  let n = 1 + ri st 3 in
  let l = Weft.Limit.create n in
  let inside = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init
          (5 + ri st 20)
          (fun _ ->
            let st = split () in
            fun () ->
              ignore
                (maybe_cancel st (fun () ->
                     Weft.Limit.run l (fun () ->
                         let k = 1 + Atomic.fetch_and_add inside 1 in
                         if k > n then check (Printf.sprintf "limit %d: %d" n k) false;
                         did 1;
                         spin (ri st 200);
                         Atomic.decr inside;
                         Weft.yield ();
                         ignore (Weft.par (fun () -> spin 20) (fun () -> spin 20))))))));
  (* [running] returns to 0 *)
  check (Printf.sprintf "limit running %d" (Weft.Limit.running l)) (Weft.Limit.running l = 0)

(* Time passes for those that sleep, and not too early. *)
let sleepers st =
  let n = 1 + ri st 100 in
  let sleeper seconds () =
    let start = Weft.now () in
    Weft.sleep seconds;
    if Weft.now () -. start < seconds then check "slept too short" false
  in
  ignore (Weft.all (List.init n (fun _ -> sleeper (10. *. tiny st))));
  did n

(* A program of scopes, tasks and channels with one outcome, as in [test/weft]. *)
let program st =
  let code = Scope_programs.deterministic st in
  let what got = Printf.sprintf "%s: %s" got (Scope_programs.print code) in
  let meant = Scope_oracle.one_outcome ~choose:(fun _ -> 0) code in
  (match Weft.Pool.with_pool ~domains:(1 + ri st 2) (fun pool -> Random_scopes.outcome_in pool code) with
  | None -> check (what "a deadlock") false
  | Some got ->
      let ending = List.hd got.endings in
      if ending <> meant then
        check
          (what
             (Printf.sprintf "%s, not %s" (Random_scopes.print_outcome got) (Random_scopes.print_ending meant)))
          false
  | exception exn -> check (what (Printexc.to_string exn)) false);
  did 1

let all = [ ("timeouts", timeouts); ("limit", limit); ("sleepers", sleepers); ("scope_program", program) ]
