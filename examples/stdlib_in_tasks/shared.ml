(* Two tasks on two domains add to the same table, buffer, queue and stack, under a lock: nothing is lost. Without the lock
   ([shared.exe unlocked]) something is, most of the time; how much differs from run to run. *)

let each = 100_000
let unlocked = Array.length Sys.argv > 1 && Sys.argv.(1) = "unlocked"

let fill name add length =
  let lock = Weft.Mutex.create () in
  let add x = if unlocked then add x else Weft.Mutex.protect lock (fun () -> add x) in
  let task i () =
    for x = 1 to each do
      add ((2 * x) + i)
    done
  in
  let settled = Weft.run ~domains:2 (fun () -> Weft.all_settled [ task 0; task 1 ]) in
  let raised = List.length (List.filter Result.is_error settled) in
  Printf.printf "%-8s %d of %d there, %d of 2 tasks raised\n" name (length ()) (2 * each) raised

let () =
  let table = Hashtbl.create 16
  and buffer = Buffer.create 16
  and queue = Queue.create ()
  and stack = Stack.create () in
  fill "Hashtbl" (fun x -> Hashtbl.replace table x ()) (fun () -> Hashtbl.fold (fun _ () n -> n + 1) table 0);
  fill "Buffer" (fun _ -> Buffer.add_char buffer 'x') (fun () -> Buffer.length buffer);
  fill "Queue" (fun x -> Queue.add x queue) (fun () -> Queue.length queue);
  fill "Stack" (fun x -> Stack.push x stack) (fun () -> Stack.length stack)
