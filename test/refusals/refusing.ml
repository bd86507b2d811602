(* refusing CALL,CALL... ERROR PROGRAM ARGUMENT...: becomes that program, for which the kernel refuses
   these system calls with that error. Exit code 3: this is not possible here. *)

external refuse : string -> string -> bool = "refusing_refuse"

let () =
  match Array.to_list Sys.argv with
  | _ :: calls :: error :: program :: arguments ->
      if not (List.for_all (fun call -> refuse call error) (String.split_on_char ',' calls)) then exit 3;
      Unix.execvp program (Array.of_list (program :: arguments))
  | _ -> exit 2
