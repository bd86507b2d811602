(* Whoever applies many operations lets others run meanwhile, on one domain too. Every call of a user's
   function asks its worker to give way. *)

open Support
open Weft_platform

let since_the_last_turn = ref 0
let longest = ref 0

let called () =
  incr since_the_last_turn;
  longest := Int.max !longest !since_the_last_turn;
  Weft_scheduler.Deque.request_preempt (Deque_memory.current ())

let n = 100_000

(* Fewer than the operations; some thousand of them may be sorted at a time. *)
let most = 40_000

let lets_others_run (what, act) =
  Weft.run ~domains:1 @@ fun () ->
  let over = ref false in
  let others =
    Weft.async (fun () ->
        while not !over do
          since_the_last_turn := 0;
          Weft.yield ()
        done)
  in
  Weft.yield ();
  since_the_last_turn := 0;
  longest := 0;
  act ();
  over := true;
  Weft.await others;
  if !longest > most then Alcotest.failf "%s: %d calls without a turn of the others" what !longest

module Noted = struct
  type t = unit
  type _ op = Note : unit op
  type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

  let apply : type a. t -> a op -> a = fun () Note -> called ()
  let run = None
end

module B = Weft_batch.Make (Noted)

module Key = struct
  type t = int

  let compare a b =
    called ();
    Int.compare a b

  let equal a b =
    called ();
    Int.equal a b

  let hash k =
    called ();
    k * 7919
end

module Table = Weft_batch.Hash_table.Make (Key)
module B_tree = Weft_batch.B_tree.Make (Key)
module Skip_list = Weft_batch.Skip_list.Make (Key)

let bindings = Array.init n (fun i -> (i * 7919 land 0xffffff, i))
let notes = Array.make n Noted.Note

let all =
  [
    ("exec_many", fun () -> ignore (B.exec_many (B.create ()) notes : unit array));
    ("submit_many", fun () -> ignore (Weft.await (B.submit_many (B.create ()) notes) : unit array));
    ("exec_all", fun () -> B.exec_all (B.create ()) n (fun _ -> Note));
    ("exec_all, in pieces", fun () -> B.exec_all ~whole:false (B.create ()) n (fun _ -> Note));
    ("Hash_table.add_all", fun () -> Table.add_all (Table.create ()) bindings);
    ("B_tree.add_all", fun () -> B_tree.add_all (B_tree.create ()) bindings);
    ("Skip_list.add_all", fun () -> Skip_list.add_all (Skip_list.create ()) bindings);
  ]

let tests =
  List.map (fun (what, act) -> case (what ^ " lets others run") (fun () -> lets_others_run (what, act))) all
