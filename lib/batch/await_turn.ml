open Weft_platform
open Combiner
module Context = Weft_scheduler.Context
module Poll = Weft_scheduler.Poll
module Job = Weft_scheduler.Job
module Worker = Weft_scheduler.Worker
module Suspend = Weft_scheduler.Suspend
module Waiter = Weft_scheduler.Waiter

(* Fibers that wait cost memory, and longer batches are hardly better. *)
let longest_queue = 2048

(* How one fiber joins the list. *)
type attempt = {
  mutable behind : int;  (** how many there were when it had joined *)
  mutable unused : Waiters.party option;  (** a party made for the fiber, and listed, that is not used yet *)
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

(* Pushes the fiber onto the list; whether it has entered the structure instead. *)
let rec try_again t a word_of k home ~what =
  match Publication_list.look t.published with
  | Idle -> Publication_list.enter t.published || try_again t a word_of k home ~what
  | onto ->
      let party = party_for t a home ~what onto in
      if Publication_list.push t.published (word_of (Waiters.Fiber (k, party))) ~onto then begin
        a.behind <- Publication_list.depth onto;
        (match a.unused with Some p when p == party -> a.unused <- None | _ -> ());
        false
      end
      else try_again t a word_of k home ~what

let queue_fiber t word_of ~what =
  Poll.check ();
  let wait k =
    let w = Worker.of_deque (Deque_memory.current ()) and a = { behind = 0; unused = None } in
    let entered = try_again t a word_of k w.parts.home ~what in
    Option.iter Waiters.dismiss a.unused;
    if entered then Effect.Deep.continue k Waiters.Entered
    else if a.behind >= longest_queue then
      (* Enough calls wait: this worker should help with the batch, not start further fibers. *)
      Worker.hold_back w
  in
  Suspend.to_scheduler wait

(* A signal's handler that raises makes the thread leave; its call stays, and is applied. If it was given
   the ownership, it passes that on. *)
let lost t = function Waiters.Leads -> serve t | Entered -> pass_on t | Served -> ()

let queue_thread t word_of ~what =
  let waiter = Waiter.create () in
  let word = word_of (Waiters.Thread (waiter, Tsc.now ())) in
  let rec try_again () =
    match Publication_list.look t.published with
    | Idle -> if Publication_list.enter t.published then Waiters.Entered else try_again ()
    | onto ->
        if Publication_list.push t.published word ~onto then
          Waiter.await ~what ~leave:ignore ~lost:(lost t) waiter
        else try_again ()
  in
  match try_again () with
  | Leads ->
      serve t;
      Waiters.Served
  | (Served | Entered) as turn -> turn

let wait_behind t word_of ~what =
  if is_outside () then queue_thread t word_of ~what
  else
    match queue_fiber t word_of ~what with
    | turn -> turn
    | exception Effect.Unhandled (Fiber_stack.Suspend _) -> queue_thread t word_of ~what

(* A call is inside, and the list is empty: most operations take less time than joining the list. The
   pauses double, so that the one inside can go on undisturbed; they come in pieces with safepoints between
   them. *)
let piece = 1_000

let rec pause ticks =
  Tsc.pause (Int.min ticks piece);
  if ticks > piece then pause (ticks - piece)

(* Between two operations the structure is free only for moments, which long pauses miss: so at last the
   caller looks often, with short pauses. *)
let looks = 128
let between_looks = 160

let rec catch t looks =
  match Publication_list.look t.published with
  | Idle when Publication_list.enter t.published -> true
  | (Idle | Busy) when looks > 0 ->
      Tsc.pause between_looks;
      catch t (looks - 1)
  | Idle | Busy | Call _ | Turn _ -> false

let rec enter_soon t spin ~longest ticks =
  match Publication_list.look t.published with
  | Idle -> Publication_list.enter t.published || enter_soon t spin ~longest ticks
  | Busy when ticks <= longest ->
      pause ticks;
      enter_soon t spin ~longest (2 * ticks)
  | Busy ->
      (Spin_policy.is_long longest && catch t looks)
      || begin
           (* Serving a list ends. But a caller that applies an operation in place and does not leave may
              wait for this very worker. *)
           if not t.serves then Spin_policy.in_vain spin ~longest;
           false
         end
  (* A caller that would rather not join the list lets the present list be served: behind a batch, lists
     would never end. *)
  | (Call _ | Turn _) when t.serves && ticks <= longest && Spin_policy.is_long longest ->
      pause ticks;
      enter_soon t spin ~longest (2 * ticks)
  | Call _ | Turn _ ->
      if not (Spin_policy.is_long longest) then Spin_policy.in_vain spin ~longest;
      false

let publish t word_of spin ~what =
  let longest = Spin_policy.longest spin in
  if enter_soon t spin ~longest (Spin_policy.first ~longest) then Waiters.Entered
  else wait_behind t word_of ~what

let turn caller = Publication_list.Turn { caller; next = Busy; depth = 0 }

let enter t ~what =
  check t what;
  if not (Publication_list.enter t.published) then
    match publish t turn Spin_policy.impatient ~what:(what ^ t.of_it) with
    | Entered -> ()
    | Served | Leads -> assert false
