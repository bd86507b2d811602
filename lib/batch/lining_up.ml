open Weft_support
open Service
module Context = Weft_sched.Context
module Job = Weft_sched.Job
module Worker = Weft_sched.Worker
module Waiting = Weft_sched.Waiting
module Waits = Weft_sched.Cell

(* Fibers that wait cost memory; batches do not get better much beyond this. *)
let longest_line = 2048

(* Those of a party that are still in line at the gate. What the owner has taken is in good hands. *)
let rec end_party t (p : Callers.party) exn =
  match Gate.look t.gate with
  | Idle | Busy -> ()
  | chain ->
      let rec split word mine others =
        match caller_of word with
        | None -> (mine, others)
        | Some (Fiber (_, q) as caller) when q == p -> split (next_of word) (caller :: mine) others
        | Some _ -> split (next_of word) mine (word :: others)
      in
      let mine, others = split chain [] [] in
      if mine <> [] then
        if Gate.take_if t.gate chain then begin
          (* The owner may have left meanwhile: then there must be another one. *)
          if Gate.put_back t.gate others then pass_on t;
          List.iter (fun caller -> Callers.raise_in caller exn) mine;
          Callers.dismiss p
        end
        else end_party t p exn

let party_for t home ~what onto =
  match caller_of onto with
  | Some (Fiber (_, p)) when p.home == home -> p
  | _ -> Callers.party home ~what ~end_them:(end_party t)

let line_up_fiber t word_of ~what =
  let rec try_again k (home : Job.home) unused =
    match Gate.look t.gate with
    | Idle ->
        if Gate.enter t.gate then begin
          Option.iter Callers.dismiss unused;
          Effect.Deep.continue k Callers.Entered
        end
        else try_again k home unused
    | onto ->
        let party =
          match (caller_of onto, unused) with
          | Some (Callers.Fiber (_, p)), _ when p.home == home -> p
          | _, Some p -> p
          | _, None -> party_for t home ~what onto
        in
        if Gate.push t.gate (word_of (Callers.Fiber (k, party))) ~onto then begin
          (* Those in line already are enough for a batch. *)
          if Gate.depth onto >= longest_line then Worker.hold_back (Worker.of_deque (Deque_cells.current ()));
          match unused with Some p when p != party -> Callers.dismiss p | _ -> ()
        end
        else
          let unused =
            match unused with
            | Some _ -> unused
            | None -> (
                match caller_of onto with Some (Fiber (_, p)) when p == party -> None | _ -> Some party)
          in
          try_again k home unused
  in
  Context.check ();
  Waiting.perform (fun k ->
      let home = (Worker.of_deque (Deque_cells.current ())).parts.home in
      try_again k home None)

let line_up_thread t word_of ~what =
  let cell = Waits.create () in
  let word = word_of (Callers.Thread (cell, Ticks.now ())) in
  let rec try_again () =
    match Gate.look t.gate with
    | Idle -> if Gate.enter t.gate then Callers.Entered else try_again ()
    | onto ->
        if Gate.push t.gate word ~onto then
          (* A signal's exception takes the caller away; the call stays, and is applied. *)
          Waits.await ~what ~leave:ignore
            ~lost:(function Callers.Served -> () | Entered -> pass_on t | Leads -> t.serve ())
            cell
        else try_again ()
  in
  try_again ()

let line_up_behind t word_of ~what =
  if is_outside () then line_up_thread t word_of ~what
  else
    match line_up_fiber t word_of ~what with
    | turn -> turn
    | exception Effect.Unhandled (Worker.Suspend _) -> line_up_thread t word_of ~what

(* Somebody is there, and nobody in line: most operations take less time than to line up does. Pauses that double, so that whoever is
   there can go on undisturbed: two microseconds in all. [weft bench batch_counter --domains 2]: 294 instead of 477 ms. *)
let longest_pause = 32

let rec enter_soon t pause =
  match Gate.look t.gate with
  | Idle -> Gate.enter t.gate || enter_soon t pause
  | Busy when pause <= longest_pause ->
      for _ = 1 to pause do
        Domain.cpu_relax ()
      done;
      enter_soon t (2 * pause)
  | Busy | Call _ | Turn _ -> false

let line_up t word_of ~what = if enter_soon t 4 then Callers.Entered else line_up_behind t word_of ~what
let turn caller = Gate.Turn { caller; next = Busy; depth = 0 }

let enter t ~what =
  check t what;
  if not (Gate.enter t.gate) then
    match line_up t turn ~what with Entered -> () | Served | Leads -> assert false
