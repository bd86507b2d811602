open Weft_platform
module Fibers = Weft_scheduler.Fiber
module Context = Weft_scheduler.Context
module Job = Weft_scheduler.Job
module Worker = Weft_scheduler.Worker
module Suspend = Weft_scheduler.Suspend
module Waiter = Weft_scheduler.Waiter
module Pools = Weft_scheduler.Pools

exception Reentrant of string

let () =
  Printexc.register_printer (function
    | Reentrant who ->
        Some
          (Printf.sprintf
             "Weft_batch.Reentrant: %s was called from inside an operation or a batch of the same structure"
             who)
    | _ -> None)

let nobody = Owner_id.of_int (-1)

type 'p word = ('p, Waiters.t) Publication_list.word

type 'p t = {
  gate : ('p, Waiters.t) Publication_list.t;
  (* What follows belongs to the owner. *)
  mutable thread : Waiters.identity;  (** that applies an operation in place outside of any pool; or nobody *)
  mutable around : Job.spawn_context;  (** where the last fiber was that applied one in place *)
  mutable inside : Job.spawn_context;  (** a step further in: where it did that *)
  mutable within : Fibers.context;  (** that a batch runs in *)
  mutable taken : 'p word;  (** a chain that is not yet in [line]; [Busy]: none *)
  mutable line : 'p word array;  (** those taken off the gate, in the order in which they came *)
  mutable first : int;  (** the first of [line] that is still to be served *)
  mutable serves : bool;  (** those in [line]: a round is under way *)
  mutable round : unit -> unit -> unit;
  tally : Counts.t;
  exec_of_it : string;
  of_it : string;
}

let make number =
  let of_it = Printf.sprintf " (structure %d)" number in
  {
    gate = Publication_list.make ();
    thread = nobody;
    around = Job.nobody;
    inside = Job.nobody;
    within = Fibers.none;
    taken = Busy;
    line = [||];
    first = 0;
    serves = false;
    round = (fun () -> ignore);
    tally = Counts.make ();
    exec_of_it = "Weft_batch.exec" ^ of_it;
    of_it;
  }

let is_outside () = Deque_memory.current () == Deque_memory.nowhere ()

(* --- calls from inside --- *)

let rec is_inside (c : Fibers.context) outer =
  c == outer
  || c != Fibers.none
     && (is_inside c.outer outer
        ||
        match c.way with
        | Linked other -> is_inside other outer
        | Free | Stoppable | Shield | Place | Place_in _ -> false)

let check t who =
  let inside =
    if is_outside () then t.thread == Context.owner ()
    else
      let here = Context.current () in
      let is_in place = place != Fibers.none && is_inside here place in
      is_in (Job.context t.inside) || is_in t.within
  in
  if inside then raise (Reentrant who)

(* A context of its own tells the forks made inside from those that the owner made before. It is made anew only where the last owner was
   somewhere else; and serves again where it has been used, since whatever forks in it is joined before it is left. No safepoint
   between the two stores. *)
let[@inline never] move_in t here =
  let c = Job.context here in
  let inside = Job.within (Fibers.binding c c.bindings) in
  t.inside <- inside;
  t.around <- here

let[@inline] go_inside t deque here =
  if here != t.around then move_in t here;
  Job.set_here deque t.inside

(* By a thread that is no worker, or a worker. *)
let in_place t f x y =
  let deque = Deque_memory.current () in
  if deque == Deque_memory.nowhere () then begin
    t.thread <- Context.owner ();
    match f x y with
    | v ->
        t.thread <- nobody;
        v
    | exception exn ->
        t.thread <- nobody;
        Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  end
  else begin
    let here = Job.here deque in
    match
      go_inside t deque here;
      f x y
    with
    | v ->
        Job.set_here (Deque_memory.current ()) here;
        v
    | exception exn ->
        Job.set_here (Deque_memory.current ()) here;
        Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  end

(* It has ended, or never begins. *)
let rec see_to_its_end job ~taken =
  if not (Job.is_settled job || Job.claim job ~taken) then begin
    (try ignore (Pools.await_outside job) with _ -> ());
    see_to_its_end job ~taken
  end

(* Outside of any pool: in the default one, so that what is forked is known. An exception of a signal's handler, wherever it comes, must
   not have others let in while it still runs; what is allocated, is so before it may begin. *)
let in_default_pool f =
  let p = Pools.default () in
  let job = Pools.task p f in
  let see_to_its_end () = see_to_its_end job ~taken:Job.taken in
  match
    Pools.submit p job "Weft_batch";
    Pools.await_outside job
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.complete see_to_its_end;
      Printexc.raise_with_backtrace exn backtrace

(* What is forked in [place] is known as being at the structure. *)
let rec at t place f =
  if is_outside () then in_default_pool (fun () -> at t place f)
  else begin
    let inner = place (Context.current ()) in
    t.within <- inner;
    match Context.within_stoppable inner f with
    | v ->
        t.within <- Fibers.none;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        t.within <- Fibers.none;
        Printexc.raise_with_backtrace exn backtrace
  end

let as_batch t f = at t (fun (c : Fibers.context) -> Fibers.wall c ~bindings:c.bindings) f
let alone t f = at t (fun (c : Fibers.context) -> Fibers.binding c c.bindings) f

(* --- handing on --- *)

let caller_of : _ word -> Waiters.t option = function
  | Call { caller; _ } | Turn { caller; _ } -> Some caller
  | Idle | Busy -> None

let next_of : 'p word -> 'p word = function
  | Call { next; _ } | Turn { next; _ } -> next
  | (Idle | Busy) as word -> word

let all_served t = t.first = Array.length t.line

(* The eldest first. No safepoint between the taking of the chain and its noting: a signal's exception must not lose it. *)
let refill t =
  if all_served t then begin
    (match t.taken with Busy -> t.taken <- Publication_list.take t.gate | Idle | Call _ | Turn _ -> ());
    let chain = t.taken in
    let n = Publication_list.depth chain in
    let line = Array.make n Publication_list.Busy in
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

(* The ownership on its way to the next owner: what is to be done next, should a signal's exception come in between. *)
type handing =
  | Find  (** whose it is to be *)
  | Queue of { task : Job.task; home : Job.home; mutable queued : bool }
  | Tell_leader of Waiters.message
  | Tell_heir of Waiters.message
  | Serve of (unit -> unit)  (** a round, for a leader that has given up *)
  | Handed

let refuser =
  Weft_scheduler.Forward_effects.refuser
    ~why:"no handler inside the function handles it, and a call of a batched structure may be made by others"

(* A round is made with its task: nothing is allocated between the taking of the task and the round's first step. In the injector, where
   all find it who have nothing else to do: at the bottom of a deque it would lie behind what the caller forks next. *)
let queue t home =
  let go_on = t.round () in
  let job = Job.task Job.nobody (fun () -> Interrupt.complete go_on) in
  ignore (Job.add_waiter job refuser : bool);
  Queue { task = Job.T job; home; queued = false }

let rec first_pool t i =
  if i = Array.length t.line then None
  else match caller_of t.line.(i) with Some (Fiber (_, p)) -> Some p.home | _ -> first_pool t (i + 1)

(* Outside of any pool: the first fiber's pool is to go on with it, or else the first thread. *)
let find t handing =
  refill t;
  if all_served t then begin
    if Publication_list.leave t.gate then handing := Handed
  end
  else
    match first_pool t t.first with
    | Some home -> handing := queue t home
    | None -> (
        match t.line.(t.first) with
        | Call { caller; _ } -> handing := Tell_leader (Waiters.message caller Leads)
        | Turn { caller; _ } ->
            let next = Tell_heir (Waiters.message caller Entered) in
            t.first <- t.first + 1;
            handing := next
        | Idle | Busy -> assert false)

let rec hand_on t handing =
  match !handing with
  | Handed -> ()
  | step ->
      (match step with
      | Find -> find t handing
      | Queue q ->
          if not q.queued then begin
            q.home.queue q.task;
            q.queued <- true
          end;
          Worker.wake_up q.home;
          if not (is_outside ()) then Worker.hurry (Worker.of_deque (Deque_memory.current ())).parts;
          handing := Handed
      | Tell_leader m ->
          (* If it has given up, what it called for is to be done all the same. *)
          handing := if Waiters.send m then Handed else Serve (t.round ())
      | Tell_heir m -> handing := if Waiters.send m then Handed else Find
      | Serve go_on ->
          go_on ();
          handing := Handed
      | Handed -> ());
      hand_on t handing

let handing t =
  let handing =
    ref (if is_outside () then Find else queue t (Worker.of_deque (Deque_memory.current ())).parts.home)
  in
  fun () -> hand_on t handing

(* All that is allocated before the first step, is so before anything changes; what is begun is done to the end. *)
let[@inline never] rec hand_over t =
  match handing t with
  | go_on -> Interrupt.complete go_on
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      hand_over t;
      Printexc.raise_with_backtrace exn backtrace

(* The owner is it no longer. *)
let pass_on t = if not (all_served t && Publication_list.leave t.gate) then hand_over t

(* Likewise, after a call in place: nobody has been taken off the gate. *)
let[@inline] leave t = if not (Publication_list.leave t.gate) then hand_over t
