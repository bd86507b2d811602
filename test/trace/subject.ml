(* Programs whose traces are known: what each does is in its name. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let rec plain_fib n = if n < 2 then n else plain_fib (n - 1) + plain_fib (n - 2)

(* About as long on any machine. *)
let busy milliseconds =
  let until = Unix.gettimeofday () +. (float_of_int milliseconds *. 1e-3) in
  while Unix.gettimeofday () < until do
    ignore (Sys.opaque_identity (plain_fib 10))
  done

let expect what ok = if not ok then failwith what

(* A fork whose right side another worker must have taken: the left side waits until it has begun. *)
let steal () =
  let begun = Atomic.make false in
  let (), () =
    Weft.par
      (fun () ->
        while not (Atomic.get begun) do
          Domain.cpu_relax ()
        done)
      (fun () ->
        Atomic.set begun true;
        busy 5)
  in
  ()

let regions () =
  Weft.Trace.region "outer" (fun () ->
      Weft.Trace.instant "here";
      Weft.Trace.region "inner \"quoted\" \xff" (fun () -> busy 1);
      try Weft.Trace.region "raises" (fun () -> raise Exit) with Exit -> ())

(* The region begins on one worker and ends on the other: the second half is resumed by the worker that resolves the promise while the
   first one is kept busy. *)
let moving () =
  let rec attempt left =
    let first = ref (-1) and last = ref (-1) in
    let domain () = (Domain.self () :> int) in
    let promise = Weft.Promise.create () in
    let waiter =
      Weft.async (fun () ->
          Weft.Trace.region "moving" (fun () ->
              first := domain ();
              Weft.await promise;
              last := domain ()))
    in
    let (), () = Weft.par (fun () -> busy 3) (fun () -> Weft.Promise.resolve promise ()) in
    Weft.await waiter;
    if !first = !last && left > 0 then attempt (left - 1)
  in
  attempt 200

let locks () =
  let m = Weft.Mutex.create () in
  let holds () = Weft.Mutex.protect m (fun () -> Weft.sleep 0.002) in
  ignore (Weft.all (List.init 8 (fun _ -> holds)))

let channels () =
  let c = Weft.Chan.bounded 1 in
  let producer () =
    for i = 1 to 20 do
      Weft.Chan.send c i
    done;
    Weft.Chan.close c
  and consumer () =
    let rec take () =
      match Weft.Chan.recv_opt c with
      | Some _ ->
          Weft.sleep 0.001;
          take ()
      | None -> ()
    in
    take ()
  in
  ignore (Weft.par producer consumer)

let blocking () = ignore (Weft.all (List.init 3 (fun _ () -> Weft.blocking (fun () -> Unix.sleepf 0.01))))

let cancelled () =
  match Weft.Cancel.with_timeout 0.01 (fun () -> Weft.sleep 10.) with
  | () -> failwith "not cancelled"
  | exception Weft.Cancel.Timeout -> ()

let bad_chunk () =
  Weft.Trace.region "loop" @@ fun () ->
  Weft.parallel_for ~chunk_size:50 ~start:0 ~finish:99 ~body:(fun i -> if i < 50 then busy 1) ()

let garbage () =
  let keep = Array.make 1000 [] in
  Weft.parallel_for ~start:0 ~finish:200_000
    ~body:(fun i -> keep.(i mod 1000) <- List.init 20 (fun j -> i + j))
    ();
  Gc.full_major ();
  ignore (Sys.opaque_identity keep)

let batches () =
  let counter = Weft_batch.Counter.create () in
  for _ = 1 to 10 do
    ignore (Weft_batch.Counter.exec_many counter (Array.make 64 (Weft_batch.Counter.Fetch_add 1)))
  done

let many n =
  for i = 1 to n do
    Weft.Trace.instant (string_of_int i)
  done

let sleepy () =
  for _ = 1 to 5 do
    Weft.sleep 0.02
  done

let small_jobs () =
  for _ = 1 to 20 do
    let promises = List.init 5_000 (fun i -> Weft.async (fun () -> i)) in
    Weft.yield ();
    List.iter (fun p -> ignore (Weft.await p)) promises
  done

let rec for_ever () =
  Weft.Trace.region "turn" (fun () -> Weft.sleep 0.005);
  for_ever ()

let () =
  let domains = 2 in
  let run f = Weft.run ~domains f in
  match List.tl (Array.to_list Sys.argv) with
  | [ "fib" ] -> expect "fib" (run (fun () -> fib 20) = 6765)
  | [ "steal" ] -> run steal
  | [ "regions" ] -> run regions
  | [ "outside" ] -> regions ()
  | [ "moving" ] -> run moving
  | [ "locks" ] -> run locks
  | [ "channels" ] -> run channels
  | [ "blocking" ] -> run blocking
  | [ "cancelled" ] -> run cancelled
  | [ "loop" ] -> run bad_chunk
  | [ "garbage" ] -> run garbage
  | [ "batches" ] -> run batches
  | [ "many"; n ] -> run (fun () -> many (int_of_string n))
  | [ "sleepy" ] -> run sleepy
  | [ "small" ] -> run small_jobs
  | [ "crash" ] ->
      run (fun () ->
          steal ();
          Weft.Trace.region "last" (fun () -> Unix.kill (Unix.getpid ()) Sys.sigkill))
  | [ "exit"; code ] ->
      run (fun () ->
          Weft.Trace.region "last" (fun () ->
              busy 2;
              exit (int_of_string code)))
  | [ "start" ] ->
      (* For [weft attach], of a program that was started without events. *)
      Weft.Trace.start ();
      print_endline "started";
      run for_ever
  | [ "for-ever" ] ->
      print_endline "started";
      run for_ever
  | [ "interrupted" ] -> (
      print_endline "started";
      Sys.catch_break true;
      try run for_ever with Sys.Break -> exit 7)
  | _ ->
      prerr_endline "subject: what?";
      exit 64
