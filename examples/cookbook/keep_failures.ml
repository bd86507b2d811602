(* [Weft.all] ends with the first failure; [Weft.all_settled] calls them all, and tells of each how it ended. *)
let () =
  let texts = [ "17"; "four"; "25"; "" ] in
  let outcomes = Weft.all_settled (List.map (fun text () -> int_of_string text) texts) in
  List.iter2
    (fun text outcome ->
      match outcome with
      | Ok n -> Printf.printf "%S is %d\n" text n
      | Error (problem, _backtrace) -> Printf.printf "%S: %s\n" text (Printexc.to_string problem))
    texts outcomes
