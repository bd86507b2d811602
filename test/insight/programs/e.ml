(* (e) 2,000 requests of about 1 ms by 8 fibers; one of them meets a blocking call of 50 ms *)
let burn us =
  let t = Unix.gettimeofday () in
  while (Unix.gettimeofday () -. t) *. 1e6 < us do
    ()
  done

let look_up n = if n = 1234 then Unix.sleepf 0.05

let handle n =
  burn 500.;
  look_up n;
  burn 300.;
  n

let () =
  let requests = Weft.Chan.bounded 8 in
  let worst = Array.make 2000 0. in
  Weft.Scope.run (fun s ->
      let start f = ignore (Weft.Scope.async s f : unit Weft.promise) in
      start (fun () ->
          for i = 0 to 1999 do
            Weft.Chan.send requests i
          done;
          Weft.Chan.close requests);
      for _ = 1 to 8 do
        start (fun () ->
            Weft.Chan.iter
              (fun n ->
                let t = Unix.gettimeofday () in
                ignore (Weft.Trace.region "request" (fun () -> handle n));
                worst.(n) <- Unix.gettimeofday () -. t)
              requests)
      done);
  Printf.printf "worst %.1f ms\n" (1e3 *. Array.fold_left max 0. worst)
