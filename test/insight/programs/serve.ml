(* long-running server: requests of 1 ms by 8 fibers for N seconds; every 500th blocks for 50 ms; lock held long by every 100th *)
let burn us =
  let t = Unix.gettimeofday () in
  while (Unix.gettimeofday () -. t) *. 1e6 < us do
    ()
  done

let lock = Weft.Mutex.create ()

let handle n =
  burn 500.;
  if n mod 500 = 499 then Unix.sleepf 0.05;
  Weft.Mutex.protect lock (fun () -> burn (if n mod 100 = 50 then 5000. else 10.))

let () =
  let stop = Unix.gettimeofday () +. float_of_string Sys.argv.(1) in
  if Array.length Sys.argv > 2 then Weft.Trace.start ();
  let requests = Weft.Chan.bounded 8 in
  Weft.Scope.run (fun s ->
      let start f = ignore (Weft.Scope.async s f : unit Weft.promise) in
      start (fun () ->
          let i = ref 0 in
          while Unix.gettimeofday () < stop do
            Weft.Chan.send requests !i;
            incr i;
            Weft.sleep 0.001
          done;
          Weft.Chan.close requests);
      for _ = 1 to 8 do
        start (fun () -> Weft.Chan.iter (fun n -> Weft.Trace.region "request" (fun () -> handle n)) requests)
      done)
