(* subject CASE...: what test_mpi starts on several ranks. Rank 0 prints what must not depend on their number. *)

let cases = [ ("binding", Binding_cases.run) ]

let () =
  let names = List.tl (Array.to_list Sys.argv) in
  Weft_mpi.run (fun w -> List.iter (fun name -> (List.assoc name cases) w) names)
