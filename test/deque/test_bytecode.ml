(* In bytecode any step may be a safepoint. An owner and a thief use a deque while the collector moves what is in it
   and marks it. *)

open Weft_platform
open Weft_scheduler

let nil = ref (-1)
let rounds = Testing.Effort.count ~quick:300 ~usual:3000 ~long:30_000

(* Each element holds its number; the boxed ones die young. *)
let check seen (x : int ref) =
  if x != nil then begin
    if !x < 0 || !x >= Array.length seen || Atomic.fetch_and_add seen.(!x) 1 <> 0 then
      failwith (Printf.sprintf "the element %d was taken twice, or is none" !x);
    true
  end
  else false

let () =
  Testing.Watchdog.guard "bytecode" @@ fun () ->
  let d = Deque.create ~id:0 ~wake:(Deque_memory.make_word ()) in
  let each = 40 in
  let seen = Array.init (rounds * each) (fun _ -> Atomic.make 0) in
  let over = Atomic.make false in
  let thief () =
    while not (Atomic.get over) do
      ignore (check seen (Deque.steal d ~nil) : bool);
      ignore (Sys.opaque_identity (List.init 10 string_of_int))
    done
  in
  Deque_memory.adopt d;
  let thief = Domain.spawn thief in
  for round = 0 to rounds - 1 do
    for i = 0 to each - 1 do
      if Deque.is_full d then Deque.make_room d;
      let x = ref ((round * each) + i) in
      Deque.push d x;
      ignore (Sys.opaque_identity (List.init 5 string_of_int));
      if i land 3 = 0 && Deque.pop_if d x then ignore (check seen x : bool)
    done;
    ignore (Deque.exists d (fun x -> !x < 0) : bool);
    if round land 15 = 0 then ignore (Gc.major_slice 1000 : int);
    if round land 1 = 0 then Gc.minor ();
    ignore (check seen (Deque.take_eldest d ~nil) : bool);
    while check seen (Deque.pop d ~nil) do
      ()
    done
  done;
  Atomic.set over true;
  Domain.join thief;
  Deque_memory.abandon d;
  Array.iteri (fun i n -> if Atomic.get n <> 1 then failwith (Printf.sprintf "element %d was lost" i)) seen;
  print_endline "bytecode: each element of a deque is taken once"
