(* How many subsets of [numbers] have the sum [target]? It takes twice as long for each number more. *)
let rec subsets target numbers =
  match numbers with
  | [] -> if target = 0 then 1 else 0
  | n :: rest ->
      let with_it, without = Weft.par (fun () -> subsets (target - n) rest) (fun () -> subsets target rest) in
      with_it + without

(* A fork is a place where a computation can be stopped. One that neither forks, waits nor loops through Weft calls
   [Weft.Cancel.check ()] now and then. *)
let within seconds f =
  match Weft.Cancel.with_timeout seconds f with
  | n -> Printf.printf "%d subsets\n" n
  | exception Weft.Cancel.Timeout -> print_endline "it takes too long"

let () =
  within 50. (fun () -> subsets 12 (List.init 12 succ));
  within 0.01 (fun () -> subsets 100 (List.init 62 succ))
