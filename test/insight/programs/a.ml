(* (a) 8 fibers share a table; one of them holds its lock across long work. *)
let table = Hashtbl.create 16
let lock = Weft.Mutex.(named "table" (create ()))

let burn ms =
  let t = Unix.gettimeofday () in
  let x = ref 0 in
  while (Unix.gettimeofday () -. t) *. 1e3 < ms do
    incr x
  done;
  !x

let work who =
  for i = 1 to 20 do
    ignore (Sys.opaque_identity (burn 3.));
    Weft.Mutex.protect lock (fun () ->
        if who = 5 then ignore (Sys.opaque_identity (burn 40.)) (* recompute inside *);
        Hashtbl.replace table (who, i) i)
  done

let () =
  Weft.Scope.run (fun s ->
      for who = 0 to 7 do
        ignore (Weft.Scope.async s (fun () -> work who) : unit Weft.promise)
      done);
  Printf.printf "%d\n" (Hashtbl.length table)
