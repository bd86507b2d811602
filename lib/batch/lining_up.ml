open Weft_platform
open Combiner
module Context = Weft_scheduler.Context
module Poll = Weft_scheduler.Poll
module Job = Weft_scheduler.Job
module Worker = Weft_scheduler.Worker
module Suspend = Weft_scheduler.Suspend
module Waiter = Weft_scheduler.Waiter

(* Fibers that wait cost memory; batches do not get better much beyond this. *)
let longest_line = 2048

(* One fiber's way into line. *)
type attempt = {
  mutable behind : int;  (** so many when it had lined up *)
  mutable unused : Waiters.party option;  (** made for it, and listed *)
}

let party_for t a (home : Job.home) ~what onto =
  match (caller_of onto, a.unused) with
  | Some (Waiters.Fiber (_, p)), _ when p.home == home -> p
  | _, Some p -> p
  | _, None ->
      let p = Waiters.party home ~what ~end_them:(end_party t) in
      a.unused <- Some p;
      Waiters.list p;
      p

(* Whether it has entered instead. *)
let rec try_again t a word_of k home ~what =
  match Publication_list.look t.gate with
  | Idle -> Publication_list.enter t.gate || try_again t a word_of k home ~what
  | onto ->
      let party = party_for t a home ~what onto in
      if Publication_list.push t.gate (word_of (Waiters.Fiber (k, party))) ~onto then begin
        a.behind <- Publication_list.depth onto;
        (match a.unused with Some p when p == party -> a.unused <- None | _ -> ());
        false
      end
      else try_again t a word_of k home ~what

let line_up_fiber t word_of ~what =
  Poll.check ();
  let wait k =
    let w = Worker.of_deque (Deque_memory.current ()) and a = { behind = 0; unused = None } in
    let entered = try_again t a word_of k w.parts.home ~what in
    Option.iter Waiters.dismiss a.unused;
    if entered then Effect.Deep.continue k Waiters.Entered (* Those in line already are enough for a batch. *)
    else if a.behind >= longest_line then Worker.hold_back w
  in
  Suspend.to_scheduler wait

(* What a signal's handler raises takes the thread away; its call stays, and is applied. The ownership, if it was given that, goes on. *)
let lost t = function Waiters.Leads -> serve t | Entered -> pass_on t | Served -> ()

let line_up_thread t word_of ~what =
  let cell = Waiter.create () in
  let word = word_of (Waiters.Thread (cell, Tsc.now ())) in
  let rec try_again () =
    match Publication_list.look t.gate with
    | Idle -> if Publication_list.enter t.gate then Waiters.Entered else try_again ()
    | onto ->
        if Publication_list.push t.gate word ~onto then Waiter.await ~what ~leave:ignore ~lost:(lost t) cell
        else try_again ()
  in
  match try_again () with
  | Leads ->
      serve t;
      Waiters.Served
  | (Served | Entered) as turn -> turn

let line_up_behind t word_of ~what =
  if is_outside () then line_up_thread t word_of ~what
  else
    match line_up_fiber t word_of ~what with
    | turn -> turn
    | exception Effect.Unhandled (Fiber_stack.Suspend _) -> line_up_thread t word_of ~what

(* Somebody is there, and nobody in line: most operations take less time than to line up does. Pauses that double, so that whoever is
   there can go on undisturbed, in pieces between which there are safepoints. *)
let piece = 1_000

let rec pause ticks =
  Tsc.pause (Int.min ticks piece);
  if ticks > piece then pause (ticks - piece)

(* Between two operations the structure is free only for moments, which those who pause for long miss: so they look closely at last. *)
let looks = 128
let between_looks = 160

let rec catch t looks =
  match Publication_list.look t.gate with
  | Idle when Publication_list.enter t.gate -> true
  | (Idle | Busy) when looks > 0 ->
      Tsc.pause between_looks;
      catch t (looks - 1)
  | Idle | Busy | Call _ | Turn _ -> false

let rec enter_soon t spin ~longest ticks =
  match Publication_list.look t.gate with
  | Idle -> Publication_list.enter t.gate || enter_soon t spin ~longest ticks
  | Busy when ticks <= longest ->
      pause ticks;
      enter_soon t spin ~longest (2 * ticks)
  | Busy ->
      (Spin_policy.is_long longest && catch t looks)
      || begin
           (* A line that is being served ends; who applies an operation in place and does not leave may wait for this worker. *)
           if not t.serves then Spin_policy.in_vain spin ~longest;
           false
         end
  (* Who does not mean to line up lets a line be served: behind a batch, lines would never end. *)
  | (Call _ | Turn _) when t.serves && ticks <= longest && Spin_policy.is_long longest ->
      pause ticks;
      enter_soon t spin ~longest (2 * ticks)
  | Call _ | Turn _ ->
      if not (Spin_policy.is_long longest) then Spin_policy.in_vain spin ~longest;
      false

let line_up t word_of spin ~what =
  let longest = Spin_policy.longest spin in
  if enter_soon t spin ~longest (Spin_policy.first ~longest) then Waiters.Entered
  else line_up_behind t word_of ~what

let turn caller = Publication_list.Turn { caller; next = Busy; depth = 0 }

let enter t ~what =
  check t what;
  if not (Publication_list.enter t.gate) then
    match line_up t turn Spin_policy.impatient ~what:(what ^ t.of_it) with
    | Entered -> ()
    | Served | Leads -> assert false
