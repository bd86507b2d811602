open Kit

let blocking st =
  let n = 1 + ri st 20 in
  let c = Atomic.make 0 and done_ = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init n (fun i ->
            let st = split () in
            fun () ->
              match
                maybe_cancel st (fun () ->
                    Weft.blocking (fun () ->
                        Atomic.incr c;
                        Unix.sleepf (tiny st);
                        if ri st 5 = 0 then raise (Boom 6);
                        i))
              with
              | _ -> Atomic.incr done_
              | exception Boom 6 -> Atomic.incr done_)));
  check "blocking" (Atomic.get done_ = n);
  did n

let pools st =
  let d = 1 + ri st 3 in
  let leaked = ref None in
  let r =
    Weft.Pool.with_pool ~domains:d (fun p ->
        let ps =
          List.init 20 (fun i ->
              Weft.Pool.async p (fun () ->
                  Weft.yield ();
                  if i = 13 then raise (Boom 7) else i))
        in
        let x = Weft.Pool.run p (fun () -> Forks.tree_par (split ()) (1000 + ri st 10000) land 0) in
        leaked :=
          Some (Weft.Pool.async p (fun () -> try Weft.await (Weft.Promise.create ()) with e -> raise e));
        x + List.fold_left (fun acc q -> acc + try Weft.await q with Boom 7 -> 0) 0 ps)
  in
  did 20;
  check "pools sum" (r = 190 - 13);
  match !leaked with
  | Some q -> (
      match Weft.await q with
      | _ -> check "leaked awaited" false
      | exception Weft.Pool.Closed _ -> ()
      | exception e -> check ("leaked " ^ Printexc.to_string e) false)
  | None -> ()

(* --- system threads and domains that come, call, and go --- *)

let threads pool st =
  let call st () =
    for _ = 1 to 1 + ri st 5 do
      let n = ri st 1000 in
      let got =
        if ri st 2 = 0 then Weft.Pool.run pool (fun () -> fst (Weft.par (fun () -> n) Weft.yield))
        else Weft.await (Weft.Pool.async pool (fun () -> n))
      in
      check "a call from outside" (got = n);
      did 1
    done
  in
  let start st =
    if ri st 10 = 0 then
      let domain = Domain.spawn (call (split ())) in
      fun () -> Domain.join domain
    else
      let thread = Thread.create (call (split ())) () in
      fun () -> Thread.join thread
  in
  List.iter Weft.blocking (List.init (1 + ri st 6) (fun _ -> start st))

(* --- child processes --- *)

let shell ?timeout ?stdin line = Weft_unix.run ?timeout ~grace:0. ?stdin [ "sh"; "-c"; line ]

let child st () =
  did 1;
  match ri st 5 with
  | 0 ->
      let text = String.make (ri st 100_000) 'a' in
      let { Weft_unix.status; stdout; _ } = shell ~stdin:text "cat; exit 3" in
      check "what a child has copied" (status = WEXITED 3 && stdout = text)
  | 1 -> (
      match shell ~timeout:(tiny st) "exec sleep 1000" with
      | _ -> check "a child that sleeps has ended" false
      | exception Weft_unix.Timed_out _ -> ())
  | 2 -> (
      let pid = Unix.create_process "sleep" [| "sleep"; "0.001" |] Unix.stdin Unix.stdout Unix.stderr in
      match Weft_unix.waitpid pid with
      | status -> check "a child of create_process" (status = WEXITED 0)
      | exception exn ->
          ignore (Weft_unix.stop ~grace:0. pid);
          raise exn)
  | 3 ->
      (* The clock jumps: timers that are set are due at once. One process stops the program and continues it, in
         this order. It is not the shell, which a cancellation may kill between the two. *)
      ignore (shell "(kill -STOP $PPID; sleep 0.03; kill -CONT $PPID) & wait")
  | _ -> check "a child that fails" ((shell "exit 7").status = WEXITED 7)

let processes st =
  let some = List.init (1 + ri st 4) (fun _ -> split ()) in
  ignore (Weft.all (List.map (fun st () -> maybe_cancel st (child st)) some))

(* --- sockets and pipes --- *)

let sockets st =
  let from, into = if ri st 2 = 0 then Weft_unix.socketpair () else Weft_unix.pipe () in
  let n = 1 + ri st 200_000 in
  let text = String.init n (fun i -> Char.chr (i land 0xff)) in
  let sender = split () and got = Buffer.create n and bytes = Bytes.create 5000 in
  let rec send at =
    if at < n then
      let some = min (n - at) (1 + ri sender 70_000) in
      match Weft_unix.single_write ~timeout:(tiny sender) into (Bytes.unsafe_of_string text) at some with
      | written -> send (at + written)
      | exception Weft.Cancel.Timeout -> send at
  in
  let rec receive () =
    match maybe_cancel st (fun () -> Weft_unix.read from bytes 0 (1 + ri st 5000)) with
    | Some 0 -> ()
    | Some read ->
        Buffer.add_subbytes got bytes 0 read;
        receive ()
    | None -> receive ()
  in
  let closing fd f () = Fun.protect f ~finally:(fun () -> Weft_unix.close fd) in
  let (), () = Weft.par (closing into (fun () -> send 0)) (closing from receive) in
  check "what came through a socket or a pipe" (Buffer.contents got = text);
  did n

let all pool =
  [
    ("blocking", blocking);
    ("pools", pools);
    ("threads", fun st -> threads (pool ()) st);
    ("processes", processes);
    ("sockets", sockets);
  ]
