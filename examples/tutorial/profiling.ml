(* Two parts that fork, and one that does not. In [Weft.run] all of it is a task, so that all of it is measured. *)
let main n =
  let random = Weft.Random.make 1 in
  let numbers =
    Weft.Profile.region "fill" (fun () -> Weft.Array.init n (fun i -> Weft.Random.int_at random i 1_000_000))
  in
  Weft.Profile.region "sort in parallel" (fun () -> Weft.Array.sort Int.compare numbers);
  Weft.Profile.region "count one by one" (fun () ->
      let table = Hashtbl.create n in
      Array.iter (fun i -> Hashtbl.replace table i ()) numbers;
      Hashtbl.length table)

let () =
  let n = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 20_000 in
  Printf.printf "%d different numbers\n" (Weft.run (fun () -> main n))
