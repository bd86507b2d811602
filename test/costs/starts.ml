(* Which public functions of Weft and Weft_batch start a domain when called from outside all pools, by the tables of costs: so none
   is left out. Each call is one of few elements, in a process of its own; then [Unix.fork] is refused or not.
   Prints them, for [starts.expected]. *)

(* Whether [Unix.fork] is refused here. *)
let is_started () =
  match Unix.fork () with
  | 0 -> Unix._exit 0
  | child ->
      ignore (Unix.waitpid [] child : int * Unix.process_status);
      false
  | exception Failure _ -> true

(* What the call needs may start domains itself: then nothing is said of the call. *)
let outcome (table : Table.t) case =
  let n = min 20 (List.hd table.sizes) in
  match Testing.Growth.call case n with
  | exception _ -> 3
  | call -> (
      if is_started () then 2 else match call () with () -> Bool.to_int (is_started ()) | exception _ -> 3)

(* Its domain comes when there is a processor for it, perhaps after the call. *)
let later = [ "Weft.Pool.default" ]

(* What a call writes to standard error, such as that no events are written, is not looked at. *)
let quietly f =
  Unix.dup2 (Unix.openfile "/dev/null" [ O_WRONLY ] 0) Unix.stderr;
  f ()

let in_process f =
  match Unix.fork () with
  | 0 -> Unix._exit (quietly f)
  | child -> ( match Unix.waitpid [] child with _, WEXITED code -> code | _ -> 3)

let () =
  let all =
    List.concat_map
      (fun (table : Table.t) ->
        List.map
          (fun case ->
            let name = table.prefix ^ Testing.Growth.name case in
            ((if List.mem name later then 4 else in_process (fun () -> outcome table case)), name))
          table.cases)
      (Collections.tables @ Tasks.tables @ Waiting.tables @ Structures.tables)
  in
  List.iteri
    (fun code what ->
      print_endline what;
      List.iter (fun (c, name) -> if c = code then print_endline ("  " ^ name)) all)
    [ "starts none"; "starts one"; "what it needs starts one"; "not called"; "starts one later, if at all" ]
