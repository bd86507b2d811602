(* What a call binds, all tasks that it starts can see, on whatever domain they run. *)
let request = Weft.Local.Task_local.create ~default:"nobody"
let remark text = Weft.Local.Task_local.get request ^ ": " ^ text

let handle id =
  Weft.Local.Task_local.with_value request id (fun () ->
      Weft.List.map (fun i -> remark ("part " ^ string_of_int i)) [ 1; 2 ])

let () =
  List.iter print_endline (List.concat (Weft.List.map handle [ "anne"; "bob" ]));
  print_endline (remark "at the end")
