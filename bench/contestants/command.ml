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

let rec wait pid =
  match Unix.waitpid [] pid with _, status -> status | exception Unix.Unix_error (EINTR, _, _) -> wait pid

let lines_of (contestant : Contestant.t) arguments =
  let environment = Array.append [| "LC_ALL=C" |] (Unix.environment ()) in
  let program = Array.of_list (contestant.name :: arguments) in
  let output, their_output = Unix.pipe ~cloexec:true () in
  let nothing = Unix.openfile Filename.null [ O_RDONLY; O_CLOEXEC ] 0 in
  let pid =
    Fun.protect
      ~finally:(fun () ->
        Unix.close nothing;
        Unix.close their_output)
      (fun () -> Unix.create_process_env contestant.name program environment nothing their_output Unix.stderr)
  in
  let output = Unix.in_channel_of_descr output in
  let lines =
    Fun.protect ~finally:(fun () -> In_channel.close output) (fun () -> In_channel.input_lines output)
  in
  match wait pid with WEXITED 0 -> lines | _ -> failwith (contestant.name ^ " failed")
