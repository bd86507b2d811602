(* Two tasks on two domains add to the same table, buffer, queue and stack, and read from the same input, under a lock, or force the
   same values, which are [Weft.Once]: nothing is lost. Without the lock, and with [Lazy] ([shared.exe unlocked]), something is, most
   of the time; how much differs from run to run. *)

let each = 100_000
let unlocked = Array.length Sys.argv > 1 && Sys.argv.(1) = "unlocked"
let both task = Weft.run ~domains:2 (fun () -> Weft.all_settled [ task 0; task 1 ])

let say name there settled =
  let raised = List.length (List.filter Result.is_error settled) in
  Printf.printf "%-8s %d of %d there, %d of 2 tasks raised\n%!" name there (2 * each) raised

let fill name add length =
  let lock = Weft.Mutex.create () in
  let add x = if unlocked then add x else Weft.Mutex.protect lock (fun () -> add x) in
  let task i () =
    for x = 1 to each do
      add ((2 * x) + i)
    done
  in
  let settled = both task in
  say name (length ()) settled

(* The numbers from 1 on; each is there if some task has read it. *)
let scanf () =
  let text = String.concat " " (List.init (2 * each) (fun i -> string_of_int (i + 1))) in
  let input = Scanf.Scanning.from_string text and read = Array.make ((2 * each) + 1) false in
  let number n = if n > 0 && n <= 2 * each then read.(n) <- true in
  fill "Scanf"
    (fun _ -> Scanf.bscanf input " %d" number)
    (fun () -> Array.fold_left (fun n there -> n + Bool.to_int there) 0 read)

let lazies () =
  let got = Array.make_matrix 2 each false and count = Array.fold_left (fun n b -> n + Bool.to_int b) 0 in
  let force =
    if unlocked then
      let values = Array.init each (fun i -> lazy (Sys.opaque_identity i)) in
      fun i -> Lazy.force values.(i)
    else
      let values = Array.init each (fun i -> Weft.Once.make (fun () -> Sys.opaque_identity i)) in
      fun i -> Weft.Once.get values.(i)
  in
  let raised = Atomic.make 0 in
  let task t () =
    for i = 0 to each - 1 do
      match force i with n -> got.(t).(i) <- n = i | exception _ -> Atomic.incr raised
    done
  in
  let settled = both task in
  say "Lazy" (count got.(0) + count got.(1)) settled

let () =
  let table = Hashtbl.create 16
  and buffer = Buffer.create 16
  and queue = Queue.create ()
  and stack = Stack.create () in
  fill "Hashtbl" (fun x -> Hashtbl.replace table x ()) (fun () -> Hashtbl.fold (fun _ () n -> n + 1) table 0);
  fill "Buffer" (fun _ -> Buffer.add_char buffer 'x') (fun () -> Buffer.length buffer);
  fill "Queue" (fun x -> Queue.add x queue) (fun () -> Queue.length queue);
  fill "Stack" (fun x -> Stack.push x stack) (fun () -> Stack.length stack);
  scanf ();
  lazies ()
