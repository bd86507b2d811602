(* Programs with known traces: each is named for what it does. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let rec plain_fib n = if n < 2 then n else plain_fib (n - 1) + plain_fib (n - 2)

(* Takes about the same time on any machine. *)
let busy milliseconds =
  let until = Unix.gettimeofday () +. (float_of_int milliseconds *. 1e-3) in
  while Unix.gettimeofday () < until do
    ignore (Sys.opaque_identity (plain_fib 10))
  done

let expect what ok = if not ok then failwith what

let wait_for flag =
  while not (Atomic.get flag) do
    Domain.cpu_relax ()
  done

(* A fork whose right side another worker must take: the left side waits until it has begun. *)
let steal () =
  let begun = Atomic.make false in
  let (), () =
    Weft.par
      (fun () -> wait_for begun)
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

(* One of two workers makes tasks and does not give way, so the other one runs them. When the region waits
   there, that worker gets something else to do, and the first one goes on with the region. *)
let moving () =
  let entered = Atomic.make false and busy = Atomic.make false and over = Atomic.make false in
  let promise = Weft.Promise.create () in
  let region () =
    Weft.Trace.region "moving" (fun () ->
        Atomic.set entered true;
        Weft.await promise)
  and hog () =
    Atomic.set busy true;
    wait_for over
  in
  let region = Weft.async region in
  wait_for entered;
  let hog = Weft.async hog in
  wait_for busy;
  Weft.Promise.resolve promise ();
  Weft.await region;
  Atomic.set over true;
  Weft.await hog

(* How many fibers wait in this operation. A fiber that has been resumed may still be listed, but has no stack
   there. *)
let waiting what =
  let open Weft_scheduler in
  let of_pool (pool : Pool_state.t) =
    let suspended = pool.parts.home.suspended in
    let waits e = Suspended_fibers.what e = what && Option.is_some (Suspended_fibers.stack suspended e) in
    List.length (List.filter waits (Suspended_fibers.waits suspended))
  in
  List.fold_left (fun n pool -> n + of_pool pool) 0 (Pool_state.all ())

let yield_until condition =
  while not (condition ()) do
    Weft.yield ()
  done

(* The first holder keeps the lock until all others wait. *)
let locks () =
  let m = Weft.Mutex.create () and all = 8 and first = Atomic.make true in
  let holds () =
    Weft.Mutex.protect m (fun () ->
        if Atomic.exchange first false then yield_until (fun () -> waiting "Weft.Mutex.protect" = all - 1);
        Weft.sleep 0.01)
  in
  ignore (Weft.all (List.init all (fun _ -> holds)))

(* A message is taken when the sender of the next one waits. That sender may be listed before the channel knows
   of it, and then gets its answer without being resumed: so the number tells which send it is that waits. *)
let channels () =
  let c = Weft.Chan.bounded 1 and messages = 20 and sending = Atomic.make 0 in
  let producer () =
    for i = 1 to messages do
      Atomic.set sending i;
      Weft.Chan.send c i
    done
  and next_waits i () = Atomic.get sending = i + 1 && waiting "Weft.Chan.send" = 1 in
  let consumer () =
    for i = 1 to messages do
      if i < messages then yield_until (next_waits i);
      ignore (Weft.Chan.recv c : int)
    done
  in
  ignore (Weft.par producer consumer)

let blocking () = ignore (Weft.all (List.init 3 (fun _ () -> Weft.blocking (fun () -> Unix.sleepf 0.01))))

let cancelled () =
  match Weft.Cancel.with_timeout 0.01 (fun () -> Weft.sleep 3600.) with
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

(* The jobs stay in deques until the fiber that made them waits. *)
let small_jobs () =
  let jobs = 5_000 in
  for _ = 1 to 20 do
    let left = Atomic.make jobs and all_done = Weft.Promise.create () in
    let job () = if Atomic.fetch_and_add left (-1) = 1 then Weft.Promise.resolve all_done () in
    for _ = 1 to jobs do
      ignore (Weft.async job : unit Weft.promise)
    done;
    Weft.await all_done
  done

(* Finally it prints, in microseconds, the processor time that it has used. *)
let processor_time () =
  let rec go t = if Unix.gettimeofday () < t then go t in
  go (Unix.gettimeofday () +. 0.037);
  let t = Unix.times () in
  Printf.printf "%.0f%!" ((t.tms_utime +. t.tms_stime) *. 1e6)

let turn () = Weft.Trace.region "turn" (fun () -> Weft.sleep 0.005)

let rec turns () =
  turn ();
  turns ()

(* Prints "started" once the trace has a turn. *)
let for_ever () =
  turn ();
  print_endline "started";
  turns ()

let rec calm () =
  Weft.Trace.region "turn" (fun () -> Weft.sleep 0.2);
  calm ()

(* Small rings hold only the end of it. *)
let dump file =
  many 5_000;
  Weft.Trace.region "slow" (fun () ->
      steal ();
      Weft.Trace.dump_last file);
  Weft.Trace.instant "after"

(* Another domain writes as fast as it can. *)
let dumps_meanwhile folder n =
  let dump i = Weft.Trace.dump_last (Filename.concat folder (Printf.sprintf "%d.events" i)) in
  let begun = Atomic.make false and over = Atomic.make false in
  let rec write i =
    if not (Atomic.get over) then begin
      Weft.Trace.instant (string_of_int i);
      if i = 10_000 then Atomic.set begun true;
      write (i + 1)
    end
  in
  let writer = Domain.spawn (fun () -> write 0) in
  wait_for begun;
  for i = 1 to n do
    dump i
  done;
  Atomic.set over true;
  Domain.join writer;
  dump (n + 1)

(* Regions of the main domain; after the first ones, another domain writes more than its ring holds. *)
let dump_beside_another file =
  let regions name n =
    for _ = 1 to n do
      Weft.Trace.region name (fun () -> busy 1)
    done
  in
  regions "early" 20;
  Weft.Trace.region "across" (fun () -> Domain.join (Domain.spawn (fun () -> many 5_000)));
  regions "late" 5;
  Weft.Trace.dump_last file

(* The file of the rings itself, by its name and by [link], to which they go on being written. *)
let dump_over_rings ~link file =
  let rings =
    Filename.concat (Sys.getenv "OCAML_RUNTIME_EVENTS_DIR") (Printf.sprintf "%d.events" (Unix.getpid ()))
  in
  Unix.symlink rings link;
  let refused path =
    match Weft.Trace.dump_last path with
    | () -> failwith "not refused"
    | exception Sys_error why -> expect why (why = path ^ ": this is the file of the rings")
  in
  List.iter refused [ rings; link ];
  Unix.unlink link;
  Weft.Trace.instant "later";
  Weft.Trace.dump_last file

(* The child's rings are in another folder than those of its parent. *)
let dump_of_child folder file =
  Weft.Trace.start ();
  Sys.chdir folder;
  match Unix.fork () with
  | 0 ->
      Weft.Trace.instant "in the child";
      Weft.Trace.dump_last file
  | child -> expect "the child" (Unix.waitpid [] child = (child, WEXITED 0))

let forks_and_none () =
  let step f =
    busy 5;
    f ();
    busy 5
  in
  step (fun () -> ignore (fib 10));
  Weft.Trace.region "sequential" (fun () -> step ignore);
  step (fun () -> ignore (fib 10))

let () =
  let domains = 2 in
  let run f = Weft.run ~domains f in
  match List.tl (Array.to_list Sys.argv) with
  | [ "fib" ] ->
      let both_at_work () =
        steal ();
        Gc.minor ();
        fib 20
      in
      expect "fib" (run both_at_work = 6765)
  | [ "steal" ] -> run steal
  | [ "regions" ] -> run regions
  | [ "outside" ] -> regions ()
  | [ "moving" ] -> run moving
  | [ "locks" ] -> run locks
  | [ "channels" ] -> run channels
  | [ "blocking" ] -> run blocking
  | [ "cancelled" ] -> run cancelled
  | [ "loop" ] -> run bad_chunk
  | [ "garbage" ] ->
      (* This runs while there is one domain: with more that wait for a processor, there would be some
         hundred thousand slices, and events would be lost. *)
      Gc.full_major ();
      run garbage
  | [ "batches" ] -> run batches
  | [ "many"; n ] -> run (fun () -> many (int_of_string n))
  | [ "sleepy" ] -> run sleepy
  | [ "small" ] -> run small_jobs
  | [ "processor time" ] -> processor_time ()
  | [ "crash" ] ->
      run (fun () ->
          steal ();
          Weft.Trace.region "last" (fun () -> Unix.kill (Unix.getpid ()) Sys.sigkill))
  | [ "dump and crash"; file ] ->
      run (fun () ->
          Weft.Trace.dump_last file;
          Unix.kill (Unix.getpid ()) Sys.sigkill)
  | [ "exit"; code ] ->
      run (fun () ->
          Weft.Trace.region "last" (fun () ->
              busy 2;
              exit (int_of_string code)))
  | [ "start" ] ->
      (* For [weft attach]: the program was started without events. *)
      Weft.Trace.start ();
      run for_ever
  | [ "many-and-calm" ] ->
      (* More events than a small ring holds; then so few that a reader may be late by seconds. *)
      run (fun () ->
          many 2_000;
          print_endline "started";
          calm ())
  | [ "for-ever" ] -> run for_ever
  | [ "dump"; file ] -> run (fun () -> dump file)
  | [ "dump"; file; again ] ->
      run (fun () ->
          dump file;
          Weft.Trace.instant "between";
          Weft.Trace.dump_last again)
  | [ "dump beside another"; file ] -> dump_beside_another file
  | [ "dump over rings"; link; file ] -> dump_over_rings ~link file
  | [ "dump of child"; folder; file ] -> dump_of_child folder file
  | [ "forks and none" ] -> Weft.run ~domains:1 forks_and_none
  | [ "dumps"; folder; n ] -> dumps_meanwhile folder (int_of_string n)
  | [ "interrupted" ] -> (
      Sys.catch_break true;
      try run for_ever with Sys.Break -> exit 7)
  | _ ->
      prerr_endline "subject: what?";
      exit 64
