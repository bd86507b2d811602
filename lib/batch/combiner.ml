open Weft_platform
module Fibers = Weft_scheduler.Fiber
module Context = Weft_scheduler.Context
module Job = Weft_scheduler.Job
module Spawn_context = Weft_scheduler.Spawn_context
module Worker = Weft_scheduler.Worker
module Pools = Weft_scheduler.Pools

exception Reentrant of string

let () =
  Printexc.register_printer (function
    | Reentrant who ->
        Some
          (Printf.sprintf
             "Weft_batch.Reentrant: %s was called from inside an operation or a batch of the same structure, \
              and would wait for itself; call it before or after"
             who)
    | _ -> None)

let nobody = Owner_id.of_int (-1)

type 'p word = ('p, Waiters.t) Publication_list.word

type 'p t = {
  published : ('p, Waiters.t) Publication_list.t;
  (* The fields that follow belong to the owner. *)
  mutable thread : Waiters.identity;
      (** the thread that applies an operation in place outside of any pool; or nobody *)
  mutable around : Job.spawn_context;  (** the context of the last fiber that applied one in place *)
  mutable inside : Job.spawn_context;  (** one step further in: the context in which it did that *)
  mutable within : Fibers.context;  (** the context in which a batch runs *)
  mutable taken : 'p word array;  (** calls taken off the publication list, in the order in which they came *)
  mutable first : int;  (** the first of [taken] that is still to be served *)
  mutable serves : bool;  (** whether calls of [taken] are being served *)
  limit : int;
  rank : 'p -> int;
  apply_all : 'p t -> 'p array -> unit;
  counts : Counts.t;
  exec_of_it : string;
  of_it : string;
}

let make number ~limit ~rank apply_all =
  let of_it = Printf.sprintf " (structure %d)" number in
  {
    published = Publication_list.make ();
    thread = nobody;
    around = Spawn_context.nobody;
    inside = Spawn_context.nobody;
    within = Fibers.none;
    taken = [||];
    first = 0;
    serves = false;
    limit;
    rank;
    apply_all;
    counts = Counts.make ();
    exec_of_it = "Weft_batch.exec" ^ of_it;
    of_it;
  }

let nowhere = Deque_memory.nowhere ()
let is_outside () = Deque_memory.current () == nowhere

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
      is_in (Spawn_context.context t.inside) || is_in t.within
  in
  if inside then raise (Reentrant who)

(* A context of its own tells the forks made inside from those that the owner made before. It is made anew
   only if the last owner was somewhere else. It can be used again, since all forks made in it are joined
   before it is left. *)
let[@inline never] move_in t here =
  let c = Spawn_context.context here in
  t.inside <- Spawn_context.within (Fibers.binding c (User_functions.bindings c));
  t.around <- here

(* Outside of any pool: nobody. *)
let[@inline] here deque = if deque == nowhere then Spawn_context.nobody else Spawn_context.here deque

let[@inline] go_inside t deque here =
  if here == Spawn_context.nobody then t.thread <- Context.owner ()
  else begin
    if here != t.around then move_in t here;
    Spawn_context.set_here deque t.inside
  end

let[@inline] go_outside t here =
  if here == Spawn_context.nobody then t.thread <- nobody
  else Spawn_context.set_here (Deque_memory.current ()) here

(* [f x y] by the owner. *)
let in_place t f x y =
  let deque = Deque_memory.current () in
  let here = here deque in
  match
    go_inside t deque here;
    User_functions.call f x y
  with
  | v ->
      go_outside t here;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      go_outside t here;
      Printexc.raise_with_backtrace (User_functions.explained exn) backtrace

(* A signal's handler that raises in the calling thread must not let others in while the job still runs. *)
let rec await_its_end job =
  try Pools.await_outside job
  with exn when not (Job.is_settled job) ->
    let backtrace = Printexc.get_raw_backtrace () in
    (try ignore (await_its_end job) with _ -> ());
    Printexc.raise_with_backtrace exn backtrace

(* Outside of any pool: in the default one, so that its forks are known. *)
let in_default_pool f =
  let p = Pools.default () in
  let job = Pools.task p f in
  Pools.submit p job "Weft_batch";
  await_its_end job

(* Forks made in [place] are known to be inside the structure. *)
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

let as_batch t f =
  let apply () = User_functions.call (fun f () -> f ()) f () in
  at t (fun (c : Fibers.context) -> Fibers.wall c ~bindings:(User_functions.bindings c)) apply

let alone t f = at t (fun (c : Fibers.context) -> Fibers.binding c c.bindings) f

(* --- handing on --- *)

let caller_of : _ word -> Waiters.t option = function
  | Call { caller; _ } | Turn { caller; _ } -> Some caller
  | Idle | Busy -> None

let next_of : 'p word -> 'p word = function
  | Call { next; _ } | Turn { next; _ } -> next
  | (Idle | Busy) as word -> word

let all_served t = t.first = Array.length t.taken

(* The eldest first. *)
let refill t =
  if all_served t then begin
    let chain = Publication_list.take t.published in
    let n = Publication_list.depth chain in
    let taken = Array.make n Publication_list.Busy in
    let rec fill i word =
      if i >= 0 then begin
        taken.(i) <- word;
        fill (i - 1) (next_of word)
      end
    in
    fill (n - 1) chain;
    t.taken <- taken;
    t.first <- 0
  end

let party_at t i =
  if i >= Array.length t.taken then None
  else match caller_of t.taken.(i) with Some (Fiber (_, p)) -> Some p | _ -> None

(* The parties whose last member is among those from [lo] to [hi] (excluded). *)
let rec parties_that_end t lo hi =
  if lo = hi then []
  else
    match party_at t lo with
    | Some p when match party_at t (lo + 1) with Some q -> q != p | None -> true ->
        p :: parties_that_end t (lo + 1) hi
    | _ -> parties_that_end t (lo + 1) hi

(* While the youngest call is a submitted one, and each look finds more, the combiner lets more come: else it
   would apply a batch of one before its submitter can submit the next. Callers that wait further down wait as
   long. [weft bench batch_avl_bulk_uniform] shows what it brings. *)
let enough = 1024
let most_looks = 64
let between_looks = 1_000 (* ticks *)

let rec gather t ~seen ~looks =
  match Publication_list.look t.published with
  | Call { caller = Submitted _ | Not_last; depth; _ } when seen < depth && depth < enough && looks > 0 ->
      Tsc.pause between_looks;
      gather t ~seen:depth ~looks:(looks - 1)
  | Idle | Busy | Call _ | Turn _ -> ()

(* A user's function: an exception must not stop the owner. *)
let rank_of t call = try t.rank call with _ -> min_int

(* How many from the first on can be served together. [greatest] is the greatest rank of the submitted
   operations so far; [min_int] if there was none. *)
let extent t =
  let last = t.first + min t.limit (Array.length t.taken - t.first) in
  let rec up i ~greatest =
    if i = last then i
    else
      match t.taken.(i) with
      | Call { call; caller = Submitted _ | Not_last; _ } ->
          let rank = rank_of t call in
          if rank < greatest then i else up (i + 1) ~greatest:rank
      | Call { call; _ } ->
          if greatest > min_int && rank_of t call < greatest then i else up (i + 1) ~greatest
      | Turn _ | Idle | Busy -> i
  in
  up t.first ~greatest:min_int - t.first

let call_of = function
  | Publication_list.Call { call; _ } -> call
  | Turn _ | Idle | Busy -> invalid_arg "Weft_batch: internal error: no call"

let caller_at t i = match caller_of t.taken.(i) with Some c -> c | None -> assert false

let note_waits t callers ended =
  let waited since = Counts.waited t.counts (Tsc.now () - since) in
  List.iter (fun (p : Waiters.party) -> waited p.since) ended;
  Array.iter
    (function Waiters.Thread (_, since) -> waited since | Fiber _ | Submitted _ | Not_last -> ())
    callers

let advance t n =
  t.first <- t.first + n;
  if all_served t then begin
    t.taken <- [||];
    t.first <- 0
  end

let refuser = Weft_scheduler.Forward_effects.refuser ~why:User_functions.why

let rec first_pool t i =
  if i = Array.length t.taken then None
  else match caller_of t.taken.(i) with Some (Fiber (_, p)) -> Some p.home | _ -> first_pool t (i + 1)

(* Applies the first calls of the list as one batch. The ownership is passed on before the callers are
   resumed, so that the next batch may run while they compute their next calls, but after the promises are
   settled: who comes next, by [quiesce] perhaps, finds them so. *)
let rec serve_batch t =
  let first = t.first and n = extent t in
  let callers = Array.init n (fun i -> caller_at t (first + i)) in
  let calls = Array.init n (fun i -> call_of t.taken.(first + i)) in
  let end_batch () =
    let ended = parties_that_end t first (first + n) in
    note_waits t callers ended;
    advance t n;
    t.serves <- false;
    let settled = Waiters.settle callers in
    pass_on t;
    Waiters.tell_served callers settled;
    List.iter Waiters.dismiss ended
  in
  t.serves <- true;
  Fun.protect ~finally:end_batch (fun () -> t.apply_all t calls)

and serve t =
  if all_served t then gather t ~seen:0 ~looks:most_looks;
  refill t;
  if all_served t then pass_on t
  else
    match t.taken.(t.first) with
    | Turn { caller; _ } ->
        let ended = parties_that_end t t.first (t.first + 1) in
        t.first <- t.first + 1;
        let entered = Waiters.tell caller Entered in
        List.iter Waiters.dismiss ended;
        if not entered then serve t
    | Call _ | Idle | Busy -> serve_batch t

and serving t =
  let job = Job.task Spawn_context.nobody (fun () -> serve t) in
  ignore (Job.add_waiter job refuser : bool);
  job

(* Into the injector, where every idle worker looks: at the bottom of a deque it would lie behind the
   caller's next forks. *)
and serve_later t (home : Job.home) =
  let job = serving t in
  home.queue (Job.T job);
  Worker.wake_up home;
  if not (is_outside ()) then Worker.hurry (Worker.of_deque (Deque_memory.current ())).parts

(* Outside of any pool: the pool of the first fiber goes on, or else the first in the list if that is a thread,
   or else the default pool. *)
and hand_over_outside t =
  refill t;
  if all_served t then begin
    if not (Publication_list.leave t.published) then hand_over_outside t
  end
  else
    match first_pool t t.first with
    | Some home -> serve_later t home
    | None -> (
        match t.taken.(t.first) with
        | Call { caller = Submitted _ | Not_last; _ } -> serve_in_default_pool t
        (* If it has given up, its operation is applied all the same. *)
        | Call { caller; _ } -> if not (Waiters.tell caller Leads) then serve t
        | Turn { caller; _ } ->
            t.first <- t.first + 1;
            if not (Waiters.tell caller Entered) then hand_over_outside t
        | Idle | Busy -> assert false)

and serve_in_default_pool t =
  let pool = Pools.default () in
  try Pools.submit pool (serving t) "Weft_batch.submit"
  with Invalid_argument _ -> (* it has just been closed *) serve_in_default_pool t

and hand_over t =
  if is_outside () then hand_over_outside t
  else serve_later t (Worker.of_deque (Deque_memory.current ())).parts.home

and pass_on t = if not (all_served t && Publication_list.leave t.published) then hand_over t

let[@inline never] hand_over t = hand_over t

(* After a call in place: the publication list is untouched. *)
let[@inline] leave t =
  if not (Publication_list.leave t.published) then begin
    Stack_room.(ensure call);
    hand_over t
  end

let rec join t calls =
  let onto = Publication_list.look t.published in
  if not (Publication_list.push_all t.published calls ~onto) then join t calls
  else if onto == Idle then hand_over t

let submit t who calls =
  Stack_room.(ensure call);
  check t who;
  join t calls

(* --- ending --- *)

(* The members of the party, and the others, both eldest first. *)
let rec split (p : Waiters.party) word mine others =
  match caller_of word with
  | None -> (mine, others)
  | Some (Fiber (_, q) as caller) when q == p -> split p (next_of word) (caller :: mine) others
  | Some _ -> split p (next_of word) mine (word :: others)

let rec end_party t p exn =
  match Publication_list.look t.published with
  | Idle | Busy -> ()
  | chain ->
      let mine, others = split p chain [] [] in
      if mine <> [] then
        if not (Publication_list.replace t.published chain (Array.of_list others)) then end_party t p exn
        else begin
          List.iter (Waiters.end_wait exn) mine;
          Waiters.dismiss p
        end
