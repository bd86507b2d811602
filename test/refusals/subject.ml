(* subject [MINOR_HEAP]: some of every function that asks the system for something: domains, larger minor
   heaps, helper threads, timers. subject computes: no timers. subject garbage: fills all minor heaps. subject bytes N: many calls block at
   once, each in a thread; then it allocates so many bytes. *)

let sum n =
  Weft.parallel_for_reduce ~start:1 ~finish:n ~body:(fun i -> String.length (string_of_int i)) ( + ) 0

let all () =
  let blocked = Weft.all (List.init 4 (fun i () -> Weft.blocking (fun () -> i))) in
  let c = Weft.Chan.bounded 1 in
  let (), received =
    Weft.par
      (fun () ->
        Weft.sleep 0.001;
        Weft.Chan.send c 7)
      (fun () -> Weft.Chan.recv c)
  in
  Printf.printf "%d %d %d\n" (sum 300_000) (List.fold_left ( + ) 0 blocked) received

let () =
  match Sys.argv with
  | [| _; "computes" |] ->
      Printf.printf "%d %d\n"
        (Weft.run (fun () -> sum 300_000))
        (Weft.run (fun () -> Weft.blocking (fun () -> 7)))
  | [| _; "garbage" |] -> Printf.printf "%d\n" (Weft.run (fun () -> sum 8_000_000))
  | [| _; "bytes"; n |] ->
      let calls =
        Weft.all
          (List.init 30 (fun i () ->
               Weft.blocking (fun () ->
                   Unix.sleepf 0.01;
                   i)))
      in
      Printf.printf "%d %d\n" (List.length calls) (Bytes.length (Bytes.create (int_of_string n)))
  | [| _; words |] ->
      Weft.Pool.with_pool ~domains:2 ~minor_heap:(int_of_string words) (fun pool -> Weft.Pool.run pool all)
  | _ -> Weft.run all
