(* A table for each worker: no two domains write to the same one. At the end the tables are added up. *)
let count file =
  let tables = Weft.Local.Worker_local.create (fun () -> Hashtbl.create 1000) in
  let add table n word =
    match Hashtbl.find_opt table word with
    | Some count -> count := !count + n
    | None -> Hashtbl.add table word (ref n)
  in
  let count_line line =
    let table = Weft.Local.Worker_local.get tables in
    List.iter (fun word -> if word <> "" then add table 1 word) (String.split_on_char ' ' line)
  in
  Weft.Seq.(iter count_line (lines file));
  let total = Hashtbl.create 1000 in
  Weft.Local.Worker_local.fold
    (fun () table -> Hashtbl.iter (fun word count -> add total !count word) table)
    () tables;
  List.sort compare (List.map (fun (word, count) -> (word, !count)) (List.of_seq (Hashtbl.to_seq total)))

let in_a_file f =
  let file = Filename.temp_file "words" ".txt" in
  Fun.protect
    ~finally:(fun () -> Sys.remove file)
    (fun () ->
      Out_channel.with_open_bin file (fun out ->
          for _ = 1 to 1000 do
            output_string out "the cat and the dog\nand the bird\n"
          done);
      f file)

let () =
  let counts = if Array.length Sys.argv > 1 then count Sys.argv.(1) else in_a_file count in
  List.iter (fun (word, count) -> Printf.printf "%-4s %d\n" word count) counts
