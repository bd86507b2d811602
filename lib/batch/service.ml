open Weft_support
module Fibers = Weft_sched.Fiber
module Context = Weft_sched.Context
module Job = Weft_sched.Job
module Worker = Weft_sched.Worker
module Waiting = Weft_sched.Waiting
module Waits = Weft_sched.Cell

exception Reentrant of string

let () =
  Printexc.register_printer (function
    | Reentrant who ->
        Some
          (Printf.sprintf "Weft_batch.Reentrant: %s was called from inside a batch of the same structure" who)
    | _ -> None)

let nobody = Identity.of_int (-1)

type 'p word = ('p, Callers.t) Gate.word

type 'p t = {
  gate : ('p, Callers.t) Gate.t;
  (* What follows belongs to the owner. *)
  mutable owner : Callers.identity;  (** who applies an operation in place, or did last *)
  mutable in_place : bool;  (** somebody does *)
  mutable within : Fibers.context;  (** that a batch runs in *)
  mutable taken : 'p word;  (** a chain that is not yet in [line]; [Busy]: none *)
  mutable line : 'p word array;  (** those taken off the gate, in the order in which they came *)
  mutable first : int;  (** the first of [line] that is still to be served *)
  mutable serve : unit -> unit;
  tally : Tally.t;
}

(* Fibers that wait cost memory; batches do not get better much beyond this. *)
let longest_line = 2048

let make () =
  {
    gate = Gate.make ();
    owner = nobody;
    in_place = false;
    within = Fibers.none;
    taken = Busy;
    line = [||];
    first = 0;
    serve = ignore;
    tally = Tally.make ();
  }

let is_outside () = Deque_cells.current () == Deque_cells.nowhere ()

(* --- calls from inside --- *)

let rec is_inside (c : Fibers.context) outer =
  c == outer
  || c != Fibers.none
     && (is_inside c.outer outer
        || match c.way with Bridge other -> is_inside other outer | Free | Stoppable | Wall -> false)

let check t who =
  if
    (t.in_place && t.owner == Context.owner ())
    || (t.within != Fibers.none && is_inside (Context.current ()) t.within)
  then raise (Reentrant who)

(* The flag tells an owner from one who was it before: so nothing of a fiber is written when it leaves, and nothing at all if it
   was the owner the last time too. *)
let[@inline] begin_in_place t =
  let me = Context.owner () in
  if t.owner != me then t.owner <- me;
  t.in_place <- true

let[@inline] end_in_place t = t.in_place <- false

(* --- handing on --- *)

let caller_of : _ word -> Callers.t option = function
  | Call { caller; _ } | Turn { caller; _ } -> Some caller
  | Idle | Busy -> None

let next_of : 'p word -> 'p word = function
  | Call { next; _ } | Turn { next; _ } -> next
  | (Idle | Busy) as word -> word

let all_served t = t.first = Array.length t.line

(* The eldest first. No safepoint between the taking of the chain and its noting: a signal's exception must not lose it. *)
let refill t =
  if all_served t then begin
    (match t.taken with Busy -> t.taken <- Gate.take t.gate | Idle | Call _ | Turn _ -> ());
    let chain = t.taken in
    let n = Gate.depth chain in
    let line = Array.make n Gate.Busy in
    let rec fill i word =
      if i >= 0 then begin
        line.(i) <- word;
        fill (i - 1) (next_of word)
      end
    in
    fill (n - 1) chain;
    t.line <- line;
    t.first <- 0;
    t.taken <- Busy
  end

let party_at t i =
  if i >= Array.length t.line then None
  else match caller_of t.line.(i) with Some (Fiber (_, p)) -> Some p | _ -> None

(* The parties whose last member is among those from [lo] to [hi] (excluded). *)
let rec parties_that_end t lo hi =
  if lo = hi then []
  else
    match party_at t lo with
    | Some p when match party_at t (lo + 1) with Some q -> q != p | None -> true ->
        p :: parties_that_end t (lo + 1) hi
    | _ -> parties_that_end t (lo + 1) hi

(* In the injector, where all find it who have nothing else to do: at the bottom of a deque it would lie behind what the caller forks
   next. *)
let serve_as_task t = Job.T (Job.task Job.nobody t.serve)

(* Queued whatever happens; before that, nothing is. By a worker. *)
let queue_here task =
  let parts = (Worker.of_deque (Deque_cells.current ())).parts in
  let queued = ref false in
  Interrupt.complete (fun () ->
      if not !queued then begin
        parts.home.queue task;
        queued := true
      end;
      Worker.wake_up parts.home;
      Worker.hurry parts)

(* Outside of any pool: the first fiber's pool is to go on with it, or else the first thread. *)
let rec hand_over_outside t =
  refill t;
  let rec pool i =
    if i = Array.length t.line then None
    else match caller_of t.line.(i) with Some (Fiber (_, p)) -> Some p.home | _ -> pool (i + 1)
  in
  if not (all_served t) then
    match pool t.first with
    | Some home -> Worker.put_back (serve_as_task t) home
    | None -> (
        match t.line.(t.first) with
        | Call { caller; _ } -> if not (Callers.tell caller Leads) then skip t
        | Turn { caller; _ } ->
            t.first <- t.first + 1;
            if not (Callers.tell caller Entered) then leave_outside t
        | Idle | Busy -> assert false)

(* It has given up; but what it called for is to be done. *)
and skip t = t.serve ()
and leave_outside t = if not (all_served t && Gate.leave t.gate) then hand_over_outside t

(* What is queued is so whatever happens ({!Worker.resume}); before that, nothing has. *)
let[@inline never] rec hand_over t =
  if is_outside () then hand_over_outside t
  else
    match serve_as_task t with
    | task -> queue_here task
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        hand_over t;
        Printexc.raise_with_backtrace exn backtrace

(* The owner is it no longer. *)
let pass_on t = if not (all_served t && Gate.leave t.gate) then hand_over t

(* Likewise, after a call in place: nobody has been taken off the gate. *)
let[@inline] leave t = if not (Gate.leave t.gate) then hand_over t

(* --- lining up --- *)

(* To the end of the line. The owner may have left meanwhile: then there must be another one. *)
let put_back t words =
  let entered = ref false in
  let rec push word =
    match Gate.look t.gate with
    | Idle ->
        if Gate.enter t.gate then entered := true;
        push word
    | onto -> if not (Gate.push t.gate word ~onto) then push word
  in
  List.iter push words;
  if !entered then pass_on t

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
          put_back t others;
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
  let word = word_of (Callers.Thread cell) in
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

(* --- serving --- *)

(* Batches of which others that have nothing better to do should take a part. *)
let worth_help = 256

(* In a context of its own: what is forked inside is known as the batch's, is not cancelled with its caller, and does not see the
   caller's bindings. *)
let within t ~size f =
  if size >= worth_help then Option.iter Worker.clear_deque (Worker.current ());
  let c = Context.current () in
  if c == Fibers.none then begin
    begin_in_place t;
    Fun.protect f ~finally:(fun () -> end_in_place t)
  end
  else begin
    let inner = Fibers.wall c ~bindings:Weft_sched.Bindings.empty in
    t.within <- inner;
    Fun.protect (fun () -> Context.within_stoppable inner f) ~finally:(fun () -> t.within <- Fibers.none)
  end

(* How many from the first on can be served together. *)
let extent t ~limit =
  let last = min (Array.length t.line) (if limit = max_int then max_int else t.first + limit) in
  let rec up i = if i < last then match t.line.(i) with Call _ -> up (i + 1) | _ -> i else i in
  up t.first - t.first

let call_of = function
  | Gate.Call { call; _ } -> call
  | Turn _ | Idle | Busy -> invalid_arg "Weft_batch: internal error: no call"

let caller_at t i = match caller_of t.line.(i) with Some c -> c | None -> assert false

(* One round of the owner's: what is to be done next, should a signal's exception come in between. *)
type 'p round = {
  mutable stage : stage;
  mutable calls : 'p array;
  mutable callers : Callers.t array;
  mutable told : int;  (** so many of [callers] *)
  mutable ended : Callers.party list;
}

and stage = Look | Apply | Note | Pass_on | Tell | Tell_one | Tell_heir of Callers.t | Dismiss | Done

let look t r ~limit =
  refill t;
  if all_served t then r.stage <- Pass_on
  else
    match t.line.(t.first) with
    | Turn { caller; _ } ->
        r.ended <- parties_that_end t t.first (t.first + 1);
        let stage = Tell_heir caller in
        t.first <- t.first + 1;
        r.stage <- stage
    | Call _ | Idle | Busy ->
        let first = t.first and n = extent t ~limit in
        let callers = Array.init n (fun i -> caller_at t (first + i)) in
        r.calls <- Array.init n (fun i -> call_of t.line.(first + i));
        r.callers <- callers;
        r.stage <- Apply

let note t r =
  let n = Array.length r.calls in
  let ended = parties_that_end t t.first (t.first + n) in
  List.iter (fun (p : Callers.party) -> Tally.waited t.tally (Ticks.now () - p.since)) ended;
  r.ended <- ended;
  r.stage <- Pass_on;
  t.first <- t.first + n;
  if all_served t then begin
    t.line <- [||];
    t.first <- 0
  end

let tell t r =
  match Callers.served r.callers with
  | None -> r.stage <- Tell_one
  | Some task ->
      ignore t;
      r.stage <- Dismiss;
      Worker.resume task (Worker.of_deque (Deque_cells.current ())).parts.home

let tell_one r =
  while r.told < Array.length r.callers do
    let caller = r.callers.(r.told) in
    r.told <- r.told + 1;
    ignore (Callers.tell caller Served : bool)
  done;
  r.stage <- Dismiss

(* By the owner. The ownership goes on before the callers do, so that the next batch may be run while they compute what to call
   for next. [apply_all] must not raise. *)
let rec step t r ~limit apply_all =
  match r.stage with
  | Done -> ()
  | stage ->
      (match stage with
      | Look -> look t r ~limit
      | Apply ->
          r.stage <- Note;
          apply_all r.calls
      | Note -> note t r
      | Pass_on ->
          if all_served t && Gate.leave t.gate then r.stage <- Tell
          else begin
            let task = serve_as_task t in
            if is_outside () then begin
              r.stage <- Tell;
              hand_over_outside t
            end
            else begin
              r.stage <- Tell;
              queue_here task
            end
          end
      | Tell -> if Array.length r.callers = 0 then r.stage <- Dismiss else tell t r
      | Tell_one -> tell_one r
      | Tell_heir caller ->
          r.stage <- Dismiss;
          if not (Callers.tell caller Entered) then r.stage <- Look
      | Dismiss ->
          List.iter Callers.dismiss r.ended;
          r.stage <- Done
      | Done -> ());
      step t r ~limit apply_all

let serve t ~limit apply_all =
  let r = { stage = Look; calls = [||]; callers = [||]; told = 0; ended = [] } in
  Interrupt.complete (fun () -> step t r ~limit apply_all)
