type timer = { id : int; at : int; holds : bool; call : unit -> unit }

(* By time; those of one time by age. *)
module Pending = Set.Make (struct
  type t = timer

  let compare a b = if a.at <> b.at then Int.compare a.at b.at else Int.compare a.id b.id
end)

type t = { alarm : Timer_thread.t; pending : Pending.t Atomic.t; ids : int Atomic.t; events : int Atomic.t }

let never = Timer_thread.never
let create alarm = { alarm; pending = Atomic.make Pending.empty; ids = Atomic.make 0; events = Atomic.make 0 }

(* --- adding and cancelling --- *)

let rec insert t timer =
  let was = Atomic.get t.pending in
  if Atomic.compare_and_set t.pending was (Pending.add timer was) then Timer_thread.set t.alarm timer.at
  else begin
    Domain.cpu_relax ();
    insert t timer
  end

let rec remove t timer =
  let was = Atomic.get t.pending in
  let rest = Pending.remove timer was in
  (* The same set, physically, if the timer is not in it. *)
  rest != was
  && (Atomic.compare_and_set t.pending was rest
     ||
     (Domain.cpu_relax ();
      remove t timer))

let add ?(holds = true) t ~at call =
  let timer = { id = Atomic.fetch_and_add t.ids 1; at; holds; call } in
  if at < never then begin
    Timer_thread.start ();
    insert t timer
  end;
  timer

let cancel t timer = timer.at = never || remove t timer

(* --- calling what is due --- *)

(* Taken in batches: one step that took a hundred thousand would last so long that others would always be
   faster. *)
let largest_batch = 32

(* The first of [pending] that are due, at most [limit], and the others. To remove them one by one would copy a
   path of the set for each. *)
let due_of pending ~now ~limit =
  let rec take timers limit taken =
    match timers () with
    | Seq.Cons (timer, others) when limit > 0 && timer.at <= now -> take others (limit - 1) (timer :: taken)
    | _ -> taken
  in
  match take (Pending.to_seq pending) limit [] with
  | [] -> ([], pending)
  | [ timer ] -> ([ timer ], Pending.remove timer pending)
  | last :: _ as taken ->
      let _, _, others = Pending.split last pending in
      (List.rev taken, others)

let rec take_due t ~now ~limit =
  let was = Atomic.get t.pending in
  let due, rest = due_of was ~now ~limit in
  if due = [] || Atomic.compare_and_set t.pending was rest then due
  else begin
    Domain.cpu_relax ();
    take_due t ~now ~limit:(max 1 (limit / 2))
  end

(* If one raises, the others stay due. *)
let rec call_all t = function
  | [] -> ()
  | timer :: others -> (
      match timer.call () with
      | () -> call_all t others
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          List.iter (insert t) others;
          Printexc.raise_with_backtrace exn backtrace)

let rec run_until t ~now =
  match take_due t ~now ~limit:largest_batch with
  | [] -> ()
  | due ->
      call_all t due;
      run_until t ~now

let on_alarm = ref ignore
let[@inline] is_due t = Timer_thread.is_due t.alarm

let run_due t =
  ignore (Timer_thread.take_due t.alarm);
  let set_alarm () =
    Option.iter (fun timer -> Timer_thread.set t.alarm timer.at) (Pending.min_elt_opt (Atomic.get t.pending))
  in
  let finally () = Fun.protect ~finally:set_alarm !on_alarm in
  Fun.protect ~finally (fun () -> run_until t ~now:(Timer_thread.now ()))

(* --- what is pending --- *)

let next t = Option.map (fun timer -> timer.at) (Pending.min_elt_opt (Atomic.get t.pending))
let is_empty t = Pending.is_empty (Atomic.get t.pending)
let hold t = Pending.exists (fun timer -> timer.holds) (Atomic.get t.pending)
let expect_event t = ignore (Atomic.fetch_and_add t.events 1 : int)
let forget_event t = ignore (Atomic.fetch_and_add t.events (-1) : int)
let expects_none t = Atomic.get t.events = 0
let is_quiet t = is_empty t && expects_none t
let count t = Pending.cardinal (Atomic.get t.pending)

(* --- times --- *)

let check_seconds ~who seconds = if Float.is_nan seconds then invalid_arg (who ^ ": the time is nan")

(* The largest power of two that is a float below [max_int]; what the clock adds stays far below the rest. *)
let far = 0x1p61

let nanoseconds who seconds =
  check_seconds ~who seconds;
  Float.ceil (seconds *. 1e9)

let deadline ~who seconds =
  let length = nanoseconds who seconds in
  if length >= far then never else Timer_thread.now () + Float.to_int (Float.max 0. length)

let moment ~who seconds =
  let time = nanoseconds who seconds in
  if time >= far then never else Float.to_int (Float.max 0. time)

let seconds time = Float.of_int time /. 1e9
