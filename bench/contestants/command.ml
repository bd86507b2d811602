open Weft_bench_harness

let inside ~domains:_ f = f ()

let contestant name doc : Contestant.t =
  { name; doc = doc ^ ", in a process of its own"; role = Beside; inside }

let awk = contestant "awk" "the program awk"
let sort = contestant "sort" "the program sort, with LC_ALL=C"

let is_there (contestant : Contestant.t) =
  let holds folder =
    match Unix.access (Filename.concat folder contestant.name) [ X_OK ] with
    | () -> true
    | exception Unix.Unix_error _ -> false
  in
  List.exists holds (String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:""))

let lines_of (contestant : Contestant.t) arguments =
  let environment = Array.append [| "LC_ALL=C" |] (Unix.environment ()) in
  let program = Array.of_list (contestant.name :: arguments) in
  let output, input, errors = Unix.open_process_args_full contestant.name program environment in
  let lines = In_channel.input_lines output in
  match Unix.close_process_full (output, input, errors) with
  | WEXITED 0 -> lines
  | _ -> failwith (contestant.name ^ " failed")
