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
