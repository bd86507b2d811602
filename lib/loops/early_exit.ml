type policy = All | Above
type failure = { at : int; exn : exn; backtrace : Printexc.raw_backtrace }

(* Blocks that start above [last] do not run. *)
type t = { policy : policy; last : int Atomic.t; failure : failure option Atomic.t }

let start policy = { policy; last = Atomic.make max_int; failure = Atomic.make None }
let is_ordered c = c.policy = Above
let limit c = c.last
let[@inline] is_within limit (i : int) = i <= Atomic.get limit
let[@inline] may_run c i = is_within c.last i

let rec lower last i =
  let was = Atomic.get last in
  if i < was && not (Atomic.compare_and_set last was i) then lower last i

let stop c i = match c.policy with All -> Atomic.set c.last min_int | Above -> lower c.last i

let rec note c f =
  let was = Atomic.get c.failure in
  match was with
  | Some before when before.at <= f.at -> Uncaught.suppressed f.exn f.backtrace
  | Some before when Atomic.compare_and_set c.failure was (Some f) ->
      Uncaught.suppressed before.exn before.backtrace
  | None when Atomic.compare_and_set c.failure was (Some f) -> ()
  | _ -> note c f

let fail c at exn backtrace =
  (* First: whoever sees that it is stopped may be the last, and [check]. *)
  note c { at; exn; backtrace };
  stop c at

let failed_at c = Option.map (fun f -> f.at) (Atomic.get c.failure)

let reraise c =
  match Atomic.get c.failure with
  | None -> raise_notrace Fiber.sibling_failed
  | Some { exn; backtrace; _ } -> Printexc.raise_with_backtrace exn backtrace

let check c = if Option.is_some (Atomic.get c.failure) then reraise c
