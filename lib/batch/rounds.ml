open Weft_platform
open Combiner

(* How many from the first on can be served together. *)
let extent t ~limit =
  let last = min (Array.length t.line) (if limit = max_int then max_int else t.first + limit) in
  let rec up i = if i < last then match t.line.(i) with Call _ -> up (i + 1) | _ -> i else i in
  up t.first - t.first

let call_of = function
  | Publication_list.Call { call; _ } -> call
  | Turn _ | Idle | Busy -> invalid_arg "Weft_batch: internal error: no call"

let caller_at t i = match caller_of t.line.(i) with Some c -> c | None -> assert false

(* One round of the owner's: what is to be done next, should a signal's exception come in between. *)
type 'p round = {
  mutable stage : stage;
  mutable calls : 'p array;
  mutable callers : Waiters.t array;
  mutable told : int;  (** so many of [callers] *)
  mutable ended : Waiters.party list;
}

and stage =
  | Look
  | Apply
  | Note
  | Pass_on
  | Tell
  | Tell_all of Waiters.message
  | Tell_each
  | Tell_one of Waiters.message
  | Tell_heir of Waiters.message
  | Dismiss
  | Done

let look t r ~limit =
  refill t;
  if all_served t then r.stage <- Pass_on
  else
    match t.line.(t.first) with
    | Turn { caller; _ } ->
        r.ended <- parties_that_end t t.first (t.first + 1);
        let stage = Tell_heir (Waiters.message caller Entered) in
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
  let waited since = Counts.waited t.tally (Tsc.now () - since) in
  List.iter (fun (p : Waiters.party) -> waited p.since) ended;
  Array.iter (function Waiters.Thread (_, since) -> waited since | Fiber _ -> ()) r.callers;
  r.ended <- ended;
  r.stage <- Pass_on;
  t.first <- t.first + n;
  if all_served t then begin
    t.line <- [||];
    t.first <- 0
  end

let tell r =
  if Array.length r.callers = 0 then r.stage <- Dismiss
  else match Waiters.served r.callers with Some m -> r.stage <- Tell_all m | None -> r.stage <- Tell_each

let tell_each r =
  if r.told = Array.length r.callers then r.stage <- Dismiss
  else begin
    let stage = Tell_one (Waiters.message r.callers.(r.told) Served) in
    r.told <- r.told + 1;
    r.stage <- stage
  end

(* By the owner. The ownership goes on before the callers do, so that the next batch may be run while they compute what to call
   for next. *)
let rec step t r ~limit apply_all =
  match r.stage with
  | Done -> ()
  | stage ->
      (match stage with
      | Look -> look t r ~limit
      | Apply ->
          r.stage <- Note;
          t.serves <- true;
          apply_all r.calls
      | Note -> note t r
      | Pass_on ->
          r.stage <- Tell;
          t.serves <- false;
          pass_on t
      | Tell -> tell r
      | Tell_all m ->
          ignore (Waiters.send m : bool);
          r.stage <- Dismiss
      | Tell_each -> tell_each r
      | Tell_one m ->
          ignore (Waiters.send m : bool);
          r.stage <- Tell_each
      | Tell_heir m -> r.stage <- (if Waiters.send m then Dismiss else Look)
      | Dismiss ->
          List.iter Waiters.dismiss r.ended;
          r.stage <- Done
      | Done -> ());
      step t r ~limit apply_all

let make t ~limit apply_all =
  let r = { stage = Look; calls = [||]; callers = [||]; told = 0; ended = [] } in
  fun () -> step t r ~limit apply_all
