type crowd = { lock : Lock.t; line : unit Waiter.t Wait_queue.t }
type 'a state = Empty | Awaited of crowd | Full of 'a
type 'a t = 'a state Atomic.t

let create () = Atomic.make Empty
let full v = Atomic.make (Full v)
let peek d = match Atomic.get d with Full v -> Some v | Empty | Awaited _ -> None

(* --- putting --- *)

(* Woken before it leaves the line: should an exception come between, it is woken once more, in vain. *)
let rec wake_all line =
  match Wait_queue.first line with
  | None -> ()
  | Some place ->
      ignore (Waiter.wake (Wait_queue.contents place) ());
      Wait_queue.remove place;
      wake_all line

(* What was there before. Allocated first: no safepoint between the compare-and-set and the caller's note of it. *)
let rec exchange d full =
  match Atomic.get d with
  | Full _ -> None
  | (Empty | Awaited _) as was ->
      let before = Some was in
      if Atomic.compare_and_set d was full then before else exchange d full

let put d v =
  let full = Full v in
  let before = ref None in
  Interrupt.complete (fun () ->
      if Option.is_none !before then before := exchange d full;
      match !before with
      | Some (Awaited crowd) -> Lock.do_soon crowd.lock (fun () -> wake_all crowd.line)
      | Some (Empty | Full _) | None -> ());
  Option.is_some !before

(* --- waiting --- *)

let rec wait ?timeout ~what d =
  match Atomic.get d with
  | Full v ->
      Context.pass timeout;
      v
  | Empty ->
      let crowd = { lock = Lock.create (); line = Wait_queue.create () } in
      ignore (Atomic.compare_and_set d Empty (Awaited crowd));
      wait ?timeout ~what d
  | Awaited crowd as was ->
      wait_in ?timeout ~what ~unless:(fun () -> Atomic.get d != was) crowd;
      wait ?timeout ~what d

(* Returns once the place is full. *)
and wait_in ?timeout ~what ~unless crowd =
  let cell = Waiter.create () in
  let place = Wait_queue.place cell in
  let join () =
    let joins = not (unless ()) in
    if joins then Wait_queue.add crowd.line place;
    joins
  and leave () = Lock.protect crowd.lock (fun () -> Wait_queue.remove place) in
  match Lock.protect crowd.lock join with
  | true -> Waiter.await ?timeout ~what ~leave cell
  | false -> ()
  | exception exn ->
      (* A signal's, perhaps after the joining. *)
      let backtrace = Printexc.get_raw_backtrace () in
      leave ();
      Printexc.raise_with_backtrace exn backtrace
