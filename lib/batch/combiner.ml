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
  at t (fun (c : Fibers.context) -> Fibers.shield c ~bindings:(User_functions.bindings c)) apply

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
let parties_that_end t lo hi =
  let rec from i ended =
    if i < lo then ended
    else
      match party_at t i with
      | Some p when match party_at t (i + 1) with Some q -> q != p | None -> true ->
          from (i - 1) (p :: ended)
      | _ -> from (i - 1) ended
  in
  from (hi - 1) []

(* If all calls that have come since the last look are submitted ones, and nobody waits below, the combiner lets
   more come: else it would apply a batch of one before its submitter can submit the next.
   [weft bench batch_avl_bulk_uniform] shows what it brings. *)
let enough = 1024
let most_looks = 64
let between_looks = 1_000 (* ticks *)

let rec are_submitted (word : 'p word) ~down_to =
  word == down_to
  ||
  match word with
  | Call { caller = Submitted _ | Not_last; next; _ } -> are_submitted next ~down_to
  | Call _ | Turn _ | Idle | Busy -> false

let rec gather t ~(seen : 'p word) ~looks =
  let chain = Publication_list.look t.published in
  if chain != seen && looks > 0 && Publication_list.depth chain < enough && are_submitted chain ~down_to:seen
  then begin
    Tsc.pause between_looks;
    gather t ~seen:chain ~looks:(looks - 1)
  end

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
  let joined = ref 0 in
  Array.iter
    (function
      | Waiters.Thread (_, since) ->
          incr joined;
          waited since
      | Fiber _ -> incr joined
      | Submitted _ | Not_last -> ())
    callers;
  Counts.joined t.counts !joined

let advance t n =
  (* What has been served is not kept. *)
  Array.fill t.taken t.first n Publication_list.Busy;
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
   settled: whoever comes next, by [quiesce] perhaps, finds them so. *)
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
    let tell_callers () =
      Waiters.tell_served callers;
      List.iter Waiters.dismiss ended
    in
    let tell () = Fun.protect ~finally:(fun () -> Waiters.tell_settled settled) tell_callers in
    Fun.protect ~finally:tell (fun () -> pass_on t)
  in
  t.serves <- true;
  Fun.protect ~finally:end_batch (fun () -> t.apply_all t calls)

and serve t =
  if all_served t then gather t ~seen:Busy ~looks:most_looks;
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
   or else the default pool, or if that cannot be made, this thread. *)
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
        | Call { caller = Submitted _ | Not_last; _ } ->
            if not (Pools.offer_default (serving t) "Weft_batch.submit") then serve t
        (* If it has given up, its operation is applied all the same. *)
        | Call { caller; _ } -> if not (Waiters.tell caller Leads) then serve t
        | Turn { caller; _ } ->
            t.first <- t.first + 1;
            if not (Waiters.tell caller Entered) then hand_over_outside t
        | Idle | Busy -> assert false)

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

let submit t who calls =
  Stack_room.(ensure call);
  check t who;
  if Publication_list.push_all t.published calls == Idle then hand_over t

(* --- ending --- *)

(* All waits of the pool are ended at the same time, so that the list is gone through once. [others] is made of
   the calls of [was], without those of [mine], which are the pool's; only what has come since then is looked
   at if somebody joins meanwhile. *)
let rec end_waits t home exn ~was ~mine ~others =
  let rec above (word : 'p word) found =
    if word == was then Some found
    else match word with Call _ | Turn _ -> above (next_of word) (word :: found) | Idle | Busy -> None
  in
  let divide (mine, others) word =
    match caller_of word with
    | Some (Fiber (_, p) as caller) when p.home == home -> ((caller, p) :: mine, others)
    | Some _ | None -> (mine, Publication_list.again word ~onto:others)
  in
  match Publication_list.look t.published with
  | Idle | Busy -> ()
  | chain -> (
      match above chain [] with
      | None -> end_waits t home exn ~was:Publication_list.Busy ~mine:[] ~others:Publication_list.Busy
      | Some words -> (
          match List.fold_left divide (mine, others) words with
          | [], _ -> ()
          | mine, others ->
              if Publication_list.replace t.published chain others then begin
                let mine = List.rev mine in
                List.iter (fun (caller, _) -> Waiters.end_wait exn caller) mine;
                List.iter (fun (_, p) -> Waiters.dismiss p) mine
              end
              else end_waits t home exn ~was:chain ~mine ~others))

let end_party t (p : Waiters.party) exn =
  if not (Waiters.is_dismissed p) then
    end_waits t p.home exn ~was:Publication_list.Busy ~mine:[] ~others:Publication_list.Busy
