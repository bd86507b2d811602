(* The most frequent words of all files in a folder, which each rank must be able to read: each file is counted on one
   rank. mpirun -n 4 ./words.exe FOLDER, or ./words.exe FOLDER alone. *)

module Counts = Map.Make (String)

let is_letter c = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z')
let add counts word = Counts.update word (fun n -> Some (Option.value n ~default:0 + 1)) counts

let words_of text =
  String.map (fun c -> if is_letter c then Char.lowercase_ascii c else ' ') text
  |> String.split_on_char ' '
  |> List.filter (( <> ) "")

let count file =
  List.fold_left add Counts.empty (words_of (In_channel.with_open_bin file In_channel.input_all))

let merge = Counts.union (fun _ a b -> Some (a + b))

let () =
  let folder = if Array.length Sys.argv > 1 then Sys.argv.(1) else "." in
  Weft_mpi.run (fun world ->
      (* One rank looks into the folder: others might see it in another order. *)
      let is_text name = Filename.check_suffix name ".txt" in
      let files = if Weft_mpi.rank world = 0 then Sys.readdir folder else [||] in
      let files = Array.of_list (List.filter is_text (Array.to_list (Weft_mpi.broadcast world files))) in
      let body i = count (Filename.concat folder files.(i)) in
      let finish = Array.length files - 1 in
      let counts = Weft_mpi.parallel_for_reduce world ~start:0 ~finish ~body merge Counts.empty in
      (* The greatest count first; words of equal counts in their order. *)
      let by_count (word, count) (word', count') = compare (-count, word) (-count', word') in
      let sorted = List.sort by_count (Counts.bindings counts) in
      if Weft_mpi.rank world = 0 then
        List.iteri (fun i (word, count) -> if i < 5 then Printf.printf "%4d %s\n" count word) sorted)
