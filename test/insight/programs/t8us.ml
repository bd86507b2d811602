let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 25214903917) + 11)

let () =
  let k = int_of_string Sys.argv.(1) in
  let t = Unix.gettimeofday () in
  Weft.run (fun () ->
      for _ = 1 to k / 1000 do
        List.iter
          (fun p -> ignore (Weft.await p : int))
          (List.init 1000 (fun i -> Weft.async (fun () -> Sys.opaque_identity (spin 7_500 i))))
      done);
  Printf.eprintf "%d tasks: %.1f ms\n%!" k (1e3 *. (Unix.gettimeofday () -. t))
