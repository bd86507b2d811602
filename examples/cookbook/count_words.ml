module Words = Map.Make (String)

let add counts word = Words.update word (fun n -> Some (1 + Option.value n ~default:0)) counts
let merge = Words.union (fun _ m n -> Some (m + n))

(* Parts of the file are counted by themselves, each from the empty map, and then merged. *)
let count file =
  Weft.Seq.(
    lines file
    |> flat_map (fun line -> of_list (String.split_on_char ' ' line))
    |> filter (( <> ) "")
    |> fold add ~combine:merge Words.empty)

let () =
  let file = Filename.temp_file "words" ".txt" in
  Fun.protect
    ~finally:(fun () -> Sys.remove file)
    (fun () ->
      Out_channel.with_open_bin file (fun out ->
          for _ = 1 to 1000 do
            output_string out "the cat and the dog\nand the bird\n"
          done);
      Words.iter (Printf.printf "%-4s %d\n") (count file))
