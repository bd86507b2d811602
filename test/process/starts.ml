(* Calls from outside all pools, and whether they start a domain: then [Unix.fork] is refused. *)

let a = [| 3; 1; 2 |]
let mutex () = Weft.Mutex.(protect (create ()) ignore)

let channel () =
  let c = Weft.Chan.bounded 1 in
  Weft.Chan.send c 1;
  ignore (Weft.Chan.recv c : int);
  try Weft.Chan.recv ~timeout:0.001 c |> ignore with Weft.Cancel.Timeout -> ()

let promise () =
  let p = Weft.Promise.create () in
  Weft.Promise.resolve p 1;
  ignore (Weft.await p : int)

let without : (string * (unit -> unit)) list =
  [
    ("sleep", fun () -> Weft.sleep 0.001);
    ("yield", Weft.yield);
    ("blocking", fun () -> Weft.blocking ignore);
    ("promises", promise);
    ("mutexes", mutex);
    ("channels", channel);
    ("empty loops", fun () -> Weft.parallel_for ~start:1 ~finish:0 ~body:ignore ());
    ("empty arrays", fun () -> ignore (Weft.Array.map succ [||]));
    ("copies", fun () -> ignore (Weft.Array.append (Weft.Array.make 3 0) (Weft.Array.copy a)));
    ("sequential functions", fun () -> ignore (Weft.List.rev (Weft.Array.to_list a)));
    ("making a sequence", fun () -> ignore (Weft.Seq.length (Weft.Seq.map succ (Weft.Seq.of_array a))));
    ("run of one domain", fun () -> Weft.run ~domains:1 ignore);
    ("uses of an empty sequence", fun () -> Weft.Seq.iter ignore Weft.Seq.empty);
    ("another use of one", fun () -> ignore (Weft.Seq.(fold_left ( + ) 0 (map succ (of_list []))) : int));
    ("copies of a thousand", fun () -> ignore (Weft.Array.concat [ Array.make 1000 0; a ]));
  ]

let with_ : (string * (unit -> unit)) list =
  [
    ("run", fun () -> Weft.run ignore);
    ("par", fun () -> ignore (Weft.par ignore ignore));
    ("async", fun () -> ignore (Weft.async ignore : unit Weft.promise));
    ("loops", fun () -> Weft.parallel_for ~start:1 ~finish:3 ~body:ignore ());
    ("scopes", fun () -> Weft.Scope.run ignore);
    ("time-outs around a function", fun () -> Weft.Cancel.with_timeout 1. ignore);
    ("maps", fun () -> ignore (Weft.Array.map succ a));
    ("sorts", fun () -> Weft.Array.sort compare (Array.copy a));
    ("long copies", fun () -> ignore (Weft.Array.copy (Array.make 4_097 0)));
    ("uses of a sequence", fun () -> ignore (Weft.Seq.sum (Weft.Seq.of_array a)));
    ("uses of a sequence by the caller alone", fun () -> ignore Weft.Seq.(fold_left ( + ) 0 (of_array a)));
    ("a limit", fun () -> Weft.Limit.run (Weft.Limit.create 1) ignore);
    ("functions that call none", fun () -> ignore (Weft.Array.rev a));
    ("mapped promises", fun () -> ignore (Weft.Promise.map succ (Weft.Promise.of_value 1)));
  ]

let () =
  match Sys.argv with
  | [| _ |] -> List.iter (fun (name, _) -> print_endline name) (without @ with_)
  | _ -> (
      let name = Sys.argv.(1) in
      (List.assoc name (without @ with_)) ();
      match Unix.fork () with
      | 0 -> Unix._exit 0
      | child ->
          ignore (Unix.waitpid [] child : int * Unix.process_status);
          print_endline (if List.mem_assoc name without then "as stated" else "starts no domain")
      | exception Failure _ ->
          print_endline (if List.mem_assoc name with_ then "as stated" else "starts a domain"))
