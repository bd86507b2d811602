(* Ends without tearing its pool down, with a task that nobody awaits. *)

open Domainslib

let run ~domains ~size =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let never = Chan.make_bounded 1 in
  ignore (Task.async pool (fun () -> ignore (Chan.send_poll never 1)));
  let sum =
    Task.run pool (fun () -> Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:size ~body:Fun.id)
  in
  Printf.printf "and ends: %d\n" sum
