(* 100 fibers named alike, each waits for the next; number 37 is slow. With an argument, each has a name. *)
let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 25214903917) + 11)
let name i = if Array.length Sys.argv > 1 then Some (Printf.sprintf "stage %d" i) else None

let () =
  let chans = Array.init 101 (fun _ -> Weft.Chan.bounded 1) in
  Weft.Scope.run (fun s ->
      for i = 0 to 99 do
        ignore
          (Weft.Scope.async ?name:(name i) s (fun () ->
               Weft.Trace.region "stage" (fun () ->
                   for _ = 1 to 30 do
                     let x = Weft.Chan.recv chans.(i) in
                     ignore (Sys.opaque_identity (spin (if i = 37 then 3_000_000 else 20_000) x));
                     Weft.Chan.send chans.(i + 1) x
                   done))
            : unit Weft.promise)
      done;
      ignore
        (Weft.Scope.async s (fun () ->
             for i = 1 to 30 do
               Weft.Chan.send chans.(0) i
             done)
          : unit Weft.promise);
      for _ = 1 to 30 do
        ignore (Weft.Chan.recv chans.(100))
      done);
  print_endline "alike done"
