(* Two programs that nearly always work. *)

(* The balance is read under the mutex and written under the mutex, but not in one piece. *)
let lost_update () =
  let mutex = Weft.Mutex.create () and balance = ref 0 in
  let deposit amount =
    let before = Weft.Mutex.protect mutex (fun () -> !balance) in
    Weft.Mutex.lock mutex;
    balance := before + amount;
    Weft.Mutex.unlock mutex
  in
  ignore (Weft.par (fun () -> deposit 10) (fun () -> deposit 20) : unit * unit);
  if !balance <> 30 then failwith "a deposit was lost"

(* Each side holds one mutex and wants the other. *)
let lock_order () =
  let a = Weft.Mutex.create () and b = Weft.Mutex.create () in
  let transfer source target =
    Weft.Mutex.lock source;
    Weft.Mutex.lock target;
    Weft.Mutex.unlock target;
    Weft.Mutex.unlock source
  in
  ignore (Weft.par (fun () -> transfer a b) (fun () -> transfer b a) : unit * unit)

let () =
  Weft.run (fun () ->
      match Sys.argv with
      | [| _; "lost_update" |] -> lost_update ()
      | [| _; "lock_order" |] -> lock_order ()
      | _ -> prerr_endline "usage: faults lost_update | lock_order")
