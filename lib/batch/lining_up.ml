open Weft_platform
open Combiner
module Context = Weft_scheduler.Context
module Job = Weft_scheduler.Job
module Worker = Weft_scheduler.Worker
module Suspend = Weft_scheduler.Suspend
module Waiter = Weft_scheduler.Waiter

(* Fibers that wait cost memory; batches do not get better much beyond this. *)
let longest_line = 2048

(* One fiber's way into line. *)
type attempt = {
  mutable behind : int;  (** so many when it had lined up; less than 0: it has not *)
  mutable unused : Waiters.party option;  (** made for it, and perhaps listed *)
}

let party_for t a (home : Job.home) ~what onto =
  match (caller_of onto, a.unused) with
  | Some (Waiters.Fiber (_, p)), _ when p.home == home -> p
  | _, Some p -> p
  | _, None ->
      let p = Waiters.party home ~what ~end_them:(Ending.end_party t) in
      a.unused <- Some p;
      Waiters.list p;
      p

(* Whether it has entered instead. No safepoint between that, or the lining up, and the return. *)
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

let dismiss_whatever_comes a = match a.unused with None -> () | Some p -> Waiters.dismiss_whatever_comes p

let dismiss_unused a =
  try match a.unused with None -> () | Some p -> Waiters.dismiss p
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    dismiss_whatever_comes a;
    Printexc.raise_with_backtrace exn backtrace

let end_attempt a k exn =
  dismiss_whatever_comes a;
  Effect.Deep.discontinue k exn

let line_up_fiber t word_of ~what =
  Context.check ();
  let a = { behind = -1; unused = None } in
  (* On the worker's stack: a signal's exception there must end the fiber, not lose it; nor what it owns. *)
  let wait k =
    match try_again t a word_of k (Worker.of_deque (Deque_memory.current ())).parts.home ~what with
    | true -> (
        match dismiss_unused a with
        | () -> Effect.Deep.continue k Waiters.Entered
        | exception exn ->
            (try pass_on t with _ -> ());
            Effect.Deep.discontinue k exn)
    | false ->
        dismiss_unused a;
        (* Those in line already are enough for a batch. *)
        if a.behind >= longest_line then Worker.hold_back (Worker.of_deque (Deque_memory.current ()))
    | exception exn when a.behind < 0 -> end_attempt a k exn
  in
  Suspend.to_scheduler wait

(* A signal's exception takes the thread away; its call stays, and is applied. The ownership, if it was given that, goes on: to be called
   until it returns. *)
let leave_line t cell lead =
  let passed = ref false in
  fun () ->
    Waiter.give_up cell Exit;
    if Waiter.is_woken_with cell Waiters.Leads then lead ()
    else if Waiter.is_woken_with cell Waiters.Entered && not !passed then begin
      passed := true;
      pass_on t
    end

(* What it takes to go on is made before the thread can be told anything. *)
let line_up_thread t word_of ~what =
  let cell = Waiter.create () in
  let word = word_of (Waiters.Thread (cell, Tsc.now ())) in
  let lead = t.round () in
  let leave = leave_line t cell lead in
  let rec try_again () =
    match Publication_list.look t.gate with
    | Idle -> if Publication_list.enter t.gate then Waiters.Entered else try_again ()
    | onto ->
        if Publication_list.push t.gate word ~onto then Waiter.await ~what ~leave:ignore cell
        else try_again ()
  in
  match try_again () with
  | Waiters.Leads ->
      Interrupt.complete lead;
      Waiters.Served
  | turn -> turn
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.complete leave;
      Printexc.raise_with_backtrace exn backtrace

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

let rec enter_soon t patience ~longest ticks =
  match Publication_list.look t.gate with
  | Idle -> Publication_list.enter t.gate || enter_soon t patience ~longest ticks
  | Busy when ticks <= longest ->
      pause ticks;
      enter_soon t patience ~longest (2 * ticks)
  | Busy ->
      (Spin_policy.is_long longest && catch t looks)
      || begin
           (* A line that is being served ends; who applies an operation in place and does not leave may wait for this worker. *)
           if not t.serves then Spin_policy.in_vain patience ~longest;
           false
         end
  (* Who does not mean to line up lets a line be served: behind a batch, lines would never end. *)
  | (Call _ | Turn _) when t.serves && ticks <= longest && Spin_policy.is_long longest ->
      pause ticks;
      enter_soon t patience ~longest (2 * ticks)
  | Call _ | Turn _ ->
      if not (Spin_policy.is_long longest) then Spin_policy.in_vain patience ~longest;
      false

let line_up t word_of patience ~what =
  let longest = Spin_policy.longest patience in
  if enter_soon t patience ~longest (Spin_policy.first ~longest) then Waiters.Entered
  else line_up_behind t word_of ~what

let turn caller = Publication_list.Turn { caller; next = Busy; depth = 0 }

let enter t ~what =
  check t what;
  if not (Publication_list.enter t.gate) then
    match line_up t turn Spin_policy.impatient ~what:(what ^ t.of_it) with
    | Entered -> ()
    | Served | Leads -> assert false
