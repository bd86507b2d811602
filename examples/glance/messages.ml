module Chan = Weft.Chan
module Scope = Weft.Scope

(* Four tasks take numbers from one channel. A task that waits suspends its fiber; no domain is held up. *)
let () =
  let numbers = Chan.bounded 8 in
  let square_sum () = Seq.fold_left (fun sum n -> sum + (n * n)) 0 (Chan.to_seq numbers) in
  let sum =
    Scope.run (fun scope ->
        let tasks = List.init 4 (fun _ -> Scope.async scope square_sum) in
        for n = 1 to 1000 do
          Chan.send numbers n
        done;
        Chan.close numbers;
        List.fold_left (fun sum task -> sum + Weft.await task) 0 tasks)
  in
  Printf.printf "%d\n" sum
