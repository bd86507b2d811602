(* A process that is to be killed. It reports on standard output what is durable.

   hold PATH: opens the log, writes one byte and waits to be killed append PATH TASKS: tasks append records
   "TASK N" and write them to standard output, one a line, when they are durable *)

module Log = Weft_batch.Log

let say line =
  (* Each line is short enough to be written as a whole or not at all. *)
  ignore (Unix.write_substring Unix.stdout line 0 (String.length line))

let hold path =
  let _ = Log.open_ path in
  say "x";
  Unix.sleep 3600

let append path tasks =
  let log = Log.open_ ~segment_size:20_000 path in
  say "open\n";
  let first = Log.length log in
  let task i () =
    let rec go n =
      let record = Printf.sprintf "%d %d" i n in
      (* Padding of several lengths, some longer than a page. *)
      let padding = String.make (if n mod 50 = 49 then 9000 else n * 31 mod 200) '.' in
      if n mod 7 = 6 then ignore (Log.append_many log [| record ^ padding; record ^ "b" |])
      else ignore (Log.append log (record ^ padding));
      say (record ^ "\n");
      go (n + 1)
    in
    go first
  in
  ignore (Weft.all (List.init tasks task) : unit list)

let () =
  match Sys.argv with
  | [| _; "hold"; path |] -> hold path
  | [| _; "append"; path; tasks |] -> append path (int_of_string tasks)
  | _ -> exit 124
