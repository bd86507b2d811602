let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 25214903917) + 11)

let () =
  let k = int_of_string Sys.argv.(1) in
  let m = Weft.Mutex.create () in
  let x = ref 0 in
  Weft.Scope.run (fun s ->
      let q = Weft.Chan.bounded 1 in
      ignore
        (Weft.Scope.async s (fun () ->
             for i = 1 to k do
               Weft.Chan.send q i
             done;
             Weft.Chan.close q)
          : unit Weft.promise);
      for _ = 1 to 8 do
        ignore
          (Weft.Scope.async s (fun () ->
               Weft.Chan.iter
                 (fun n ->
                   Weft.Trace.region
                     (Printf.sprintf "request %d" (n mod 1000))
                     (fun () ->
                       Weft.Mutex.protect m (fun () -> x := spin 300 n);
                       ignore (Sys.opaque_identity (spin 1_500 n))))
                 q)
            : unit Weft.promise)
      done);
  print_endline "many done"
