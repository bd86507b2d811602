(* Searches. *)

module T = Domainslib.Task

let run ~domains ~size =
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let find ?chunk_size ~finish body =
    T.run pool (fun () -> T.parallel_find pool ?chunk_size ~start:1 ~finish ~body)
  in
  let say what answer =
    Printf.printf "%s: %s\n" what (match answer with None -> "none" | Some n -> string_of_int n)
  in
  say "the one" (find ~finish:size (fun i -> if i = size / 3 then Some (i * 2) else None));
  say "none" (find ~finish:size (fun _ -> None));
  say "empty" (find ~finish:0 (fun i -> Some i));
  say "in chunks" (find ~chunk_size:5 ~finish:size (fun i -> if i = size then Some i else None));
  say "chunk 0" (find ~chunk_size:0 ~finish:size (fun i -> if i = 1 then Some i else None));
  (* One of many, whichever. *)
  (match find ~finish:size (fun i -> if i mod 7 = 0 then Some i else None) with
  | Some n -> Printf.printf "one of many: %b\n" (n mod 7 = 0)
  | None -> print_endline "one of many: none");
  T.teardown_pool pool
