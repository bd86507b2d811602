(* Counts the lines of a log file that report an error, by the word that follows ERROR. *)

module Count = Map.Make (String)

let source_of_error line =
  match String.split_on_char ' ' line with _time :: "ERROR" :: source :: _ -> Some source | _ -> None

let add counts source = Count.update source (fun n -> Some (1 + Option.value n ~default:0)) counts
let both = Count.union (fun _ n m -> Some (n + m))

let errors path =
  Weft.Seq.lines path |> Weft.Seq.filter_map source_of_error |> Weft.Seq.fold add ~combine:both Count.empty

let () =
  match Sys.argv with
  | [| _; path |] -> (
      match errors path with
      | counts -> Count.iter (fun source n -> Printf.printf "%7d %s\n" n source) counts
      | exception Sys_error message ->
          prerr_endline message;
          exit 1)
  | _ ->
      prerr_endline "usage: lines FILE";
      exit 2
