type 'b win = { finish : unit -> 'b; undo : unit -> unit }
type entry = { add : unit -> unit; remove : unit -> unit }

type 'b case = {
  guard : Ordered_mutex.t option;
  attempt : unit -> 'b win option;
  entry : 'b win Waiter.t -> entry;
}

type 'b t = Case of 'b case | After of float * (unit -> 'b)

(* --- cases --- *)

let received c m f =
  {
    finish = (fun () -> match m with Some v -> f v | None -> raise Channel.Closed);
    undo = (fun () -> if Option.is_some m then Channel.put_back c m);
  }

let recv (c : _ Channel.t) f =
  let attempt () =
    let m = Channel.try_recv c in
    if Option.is_some m || c.closed then Some (received c m f) else None
  in
  let entry cell =
    let place = Wait_queue.place (fun m -> Ordered_mutex.wake c.guard cell (received c m f)) in
    { add = (fun () -> Wait_queue.add c.receivers place); remove = (fun () -> Wait_queue.remove place) }
  in
  Case { guard = Some c.guard; attempt; entry }

let send (c : _ Channel.t) v f =
  let message = Some v in
  let sent = { finish = f; undo = ignore } in
  let closed = { finish = (fun () -> raise Channel.Closed); undo = ignore } in
  let some_sent = Some sent and some_closed = Some closed in
  let attempt () = if c.closed then some_closed else if Channel.try_send c message then some_sent else None in
  let entry cell =
    let tell taken = Ordered_mutex.wake c.guard cell (if taken then sent else closed) in
    let place = Wait_queue.place { Channel.message; tell } in
    { add = (fun () -> Wait_queue.add c.senders place); remove = (fun () -> Wait_queue.remove place) }
  in
  Case { guard = Some c.guard; attempt; entry }

let await j f =
  let settled = { finish = (fun () -> f (Job.get j)); undo = ignore } in
  let attempt () = if Job.is_settled j then Some settled else None in
  let entry cell =
    let wake () = ignore (Waiter.wake cell settled) in
    let waiter = Job.guest wake in
    {
      add = (fun () -> if not (Forward_effects.await ~first:false j waiter) then wake ());
      remove = (fun () -> Job.leave j waiter);
    }
  in
  Case { guard = None; attempt; entry }

let lock m f =
  let unlock () = Fiber_mutex.unlock m in
  let locked () = { finish = f; undo = unlock } in
  let at_once = Some (locked ()) in
  let attempt () = if Fiber_mutex.try_lock m then at_once else None in
  let entry cell =
    (* A value of its own tells it from another turn at the same mutex. *)
    let turn = Fiber_mutex.Private.turn m cell (locked ()) in
    {
      add = (fun () -> Fiber_mutex.Private.enqueue turn "Weft.Select.lock");
      remove = (fun () -> Fiber_mutex.Private.leave turn);
    }
  in
  Case { guard = None; attempt; entry }

(* --- choosing --- *)

let draws = Atomic.make 0

(* The next of a sequence of numbers that look random: splitmix's (Steele, Lea and Flood 2014), on
   OCaml's 63 bits. *)
let draw () =
  let z = Atomic.fetch_and_add draws 0x1E3779B97F4A7C15 in
  let z = z lxor (z lsr 30) * 0x3F58476D1CE4E5B9 in
  let z = z lxor (z lsr 27) * 0x14D049BB133111EB in
  z lxor (z lsr 31) land max_int

let shuffle a =
  for i = Array.length a - 1 downto 1 do
    let j = draw () mod (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done

(* The cases in random order; and the shortest time-out, with its function. *)
let sorted choices =
  let cases = Array.of_list (List.filter_map (function Case c -> Some c | After _ -> None) choices) in
  shuffle cases;
  let shorter t choice =
    match (t, choice) with
    | None, After (seconds, f) -> Some (seconds, f)
    | Some (least, _), After (seconds, f) when seconds < least -> Some (seconds, f)
    | t, _ -> t
  in
  (cases, List.fold_left shorter None choices)

let guards cases = List.filter_map (fun c -> c.guard) (Array.to_list cases)
let attempt_any cases = Array.find_map (fun c -> c.attempt ()) cases

let poll choices =
  let cases, _ = sorted choices in
  match Ordered_mutex.protect_all (guards cases) (fun () -> attempt_any cases) with
  | None -> None
  | Some win -> Some (win.finish ())

let attempt_one c = match c.guard with Some g -> Ordered_mutex.protect g c.attempt | None -> c.attempt ()

let leave cases entries =
  Array.iteri
    (fun i e -> match cases.(i).guard with Some g -> Ordered_mutex.protect g e.remove | None -> e.remove ())
    entries

let gone = { finish = (fun () -> invalid_arg "Weft: internal error: a choice that was left"); undo = ignore }

(* If no case can be done at once, one entry in the queue of each. *)
let wait ~what cases timeout =
  let cell = Waiter.create () in
  let entries = Array.map (fun c -> c.entry cell) cases in
  let leave () = leave cases entries in
  let lost win =
    leave ();
    win.undo ()
  in
  let enter () =
    match attempt_any cases with
    | Some _ as win -> win
    | None ->
        Array.iter (fun e -> e.add ()) entries;
        None
  in
  match Ordered_mutex.protect_all (guards cases) enter with
  | Some win -> win
  | None ->
      let win = Waiter.await ?timeout ~what ~leave ~lost cell in
      leave ();
      win
  | exception exn ->
      (* The caller holds a lock of the cases. Some entries may be queued, and may have been served. *)
      let backtrace = Printexc.get_raw_backtrace () in
      if Waiter.wake cell gone then leave () else lost (Waiter.await ~what ~leave:ignore cell);
      Printexc.raise_with_backtrace exn backtrace

let choose ~what choices =
  Poll.pass ();
  let cases, time = sorted choices in
  (* First one by one: a case that can be done at once needs no other lock. *)
  match Array.find_map attempt_one cases with
  | Some win -> win.finish ()
  | None -> (
      match time with
      | Some (seconds, f) when seconds <= 0. -> f ()
      | None -> (wait ~what cases None).finish ()
      | Some (seconds, f) -> (
          match wait ~what cases (Some seconds) with
          | win -> win.finish ()
          | exception Context.Timeout -> f ()))
