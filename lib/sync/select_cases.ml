type 'b win = { finish : unit -> 'b; undo : unit -> unit }
type entry = { add : unit -> unit; remove : unit -> unit }

type 'b case = {
  guard : Ordered_mutex.t option;
  held : Fiber_mutex.t option;
  attempt : unit -> 'b win option;
  entry : 'r. 'r win Waiter.t -> ('b win -> 'r win) -> entry;
}

type 'b t = Case of 'b case | After of float * (unit -> 'b) | Guard of (unit -> 'b t)

let won finish = { finish; undo = ignore }

(* --- channels --- *)

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
  let entry waiter made =
    let node = Wait_queue.node (fun m -> Ordered_mutex.wake c.guard waiter (made (received c m f))) in
    { add = (fun () -> Wait_queue.add c.receivers node); remove = (fun () -> Wait_queue.remove node) }
  in
  Case { guard = Some c.guard; held = None; attempt; entry }

let send (c : _ Channel.t) v f =
  let message = Some v in
  let sent = won f and closed = won (fun () -> raise Channel.Closed) in
  let some_sent = Some sent and some_closed = Some closed in
  let attempt () = if c.closed then some_closed else if Channel.try_send c message then some_sent else None in
  let entry waiter made =
    let sent = made sent and closed = made closed in
    let tell taken = Ordered_mutex.wake c.guard waiter (if taken then sent else closed) in
    let node = Wait_queue.node { Channel.message; tell } in
    { add = (fun () -> Wait_queue.add c.senders node); remove = (fun () -> Wait_queue.remove node) }
  in
  Case { guard = Some c.guard; held = None; attempt; entry }

(* --- what has a lock of its own --- *)

let await j f =
  let settled = won (fun () -> f (Job.get j)) in
  let attempt () = if Job.is_settled j then Some settled else None in
  let entry waiter made =
    let settled = made settled in
    let wake () = ignore (Waiter.wake waiter settled : bool) in
    let waiter = Job.removable wake in
    {
      add = (fun () -> if not (Forward_effects.await ~first:false j waiter) then wake ());
      remove = (fun () -> Job.leave j waiter);
    }
  in
  Case { guard = None; held = None; attempt; entry }

let lock m f =
  let unlock () = Fiber_mutex.unlock m in
  let locked () = { finish = f; undo = unlock } in
  let at_once = Some (locked ()) in
  let attempt () = if Fiber_mutex.try_lock m then at_once else None in
  let entry waiter made =
    (* A value of its own tells it from another turn at the same mutex. *)
    let turn = Fiber_mutex.Private.turn m waiter (made (locked ())) in
    {
      add = (fun () -> Fiber_mutex.Private.enqueue turn "Weft.Select.lock");
      remove = (fun () -> Fiber_mutex.Private.leave turn);
    }
  in
  Case { guard = None; held = None; attempt; entry }

let acquire s f =
  let acquired () = { finish = f; undo = (fun () -> Fiber_semaphore.release s) } in
  let at_once = Some (acquired ()) in
  let attempt () = if Fiber_semaphore.try_acquire s then at_once else None in
  let entry waiter made =
    let turn = Fiber_semaphore.Private.turn s waiter (made (acquired ())) in
    {
      add = (fun () -> Fiber_semaphore.Private.enqueue turn);
      remove = (fun () -> Fiber_semaphore.Private.leave turn);
    }
  in
  Case { guard = None; held = None; attempt; entry }

(* [is_done ()] once [d] is full, or earlier. *)
let once d is_done finish =
  let win = won finish in
  let attempt () = if is_done () then Some win else None in
  let entry waiter made =
    let win = made win in
    let watcher = Write_once.watcher d (fun () -> ignore (Waiter.wake waiter win : bool)) in
    { add = (fun () -> Write_once.watch watcher); remove = (fun () -> Write_once.unwatch watcher) }
  in
  Case { guard = None; held = None; attempt; entry }

let put_once d f =
  once d (fun () -> Option.is_some (Write_once.peek d)) (fun () -> f (Option.get (Write_once.peek d)))

let latch l f = once (Latch.Private.opened l) (fun () -> Latch.count l = 0) f
let of_mvar (e : Mvar.Private.entry) = { add = e.add; remove = e.remove }

let take m f =
  let taken v = { finish = (fun () -> f v); undo = (fun () -> Mvar.Private.give_back m v) } in
  let attempt () = Option.map taken (Mvar.try_take m) in
  let entry waiter made = of_mvar (Mvar.Private.take m (fun v -> Waiter.wake waiter (made (taken v)))) in
  Case { guard = None; held = None; attempt; entry }

let put m v f =
  let win = won f in
  let attempt () = if Mvar.try_put m v then Some win else None in
  let entry waiter made =
    let win = made win in
    of_mvar (Mvar.Private.put m v (fun () -> Waiter.wake waiter win))
  in
  Case { guard = None; held = None; attempt; entry }

let read m f =
  let seen v = won (fun () -> f v) in
  let attempt () = Option.map seen (Mvar.try_read m) in
  let entry waiter made =
    of_mvar (Mvar.Private.read m (fun v -> ignore (Waiter.wake waiter (made (seen v)) : bool)))
  in
  Case { guard = None; held = None; attempt; entry }

let condition c m f =
  let entry waiter made =
    let turn = Fiber_condition.Private.turn c waiter (fun ~pass_on -> made { finish = f; undo = pass_on }) in
    {
      add = (fun () -> Fiber_condition.Private.enqueue turn);
      remove = (fun () -> Fiber_condition.Private.leave turn);
    }
  in
  Case { guard = None; held = Some m; attempt = (fun () -> None); entry }

(* --- combining --- *)

let no_entry = { add = ignore; remove = ignore }

let always v =
  let win = Some (won (fun () -> v)) in
  Case { guard = None; held = None; attempt = (fun () -> win); entry = (fun _ _ -> no_entry) }

let never = Case { guard = None; held = None; attempt = (fun () -> None); entry = (fun _ _ -> no_entry) }
let wrapped f win = { win with finish = (fun () -> f (win.finish ())) }

let rec wrap t f =
  match t with
  | After (seconds, g) -> After (seconds, fun () -> f (g ()))
  | Guard g -> Guard (fun () -> wrap (g ()) f)
  | Case { guard; held; attempt; entry } ->
      let attempt () = Option.map (wrapped f) (attempt ()) in
      Case
        { guard; held; attempt; entry = (fun waiter made -> entry waiter (fun win -> made (wrapped f win))) }

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

let rec force t = match t with Guard g -> force (g ()) | Case _ | After _ -> t

(* The cases in the order in which they are tried; and the shortest time-out, with its function. *)
let sorted ~what ~in_order all =
  let all = List.map force all in
  let case = function Case c -> Some c | After _ | Guard _ -> None in
  let cases = Array.of_list (List.filter_map case all) in
  if not in_order then shuffle cases;
  Array.iter (fun c -> Option.iter (fun m -> Fiber_condition.Private.check_holder m what) c.held) cases;
  let shorter time t =
    match (time, t) with
    | None, After (seconds, f) -> Some (seconds, f)
    | Some (least, _), After (seconds, f) when seconds < least -> Some (seconds, f)
    | time, _ -> time
  in
  (cases, List.fold_left shorter None all)

let guards cases = List.filter_map (fun c -> c.guard) (Array.to_list cases)
let attempt_any cases = Array.find_map (fun c -> c.attempt ()) cases

let poll ~what ~in_order cases =
  let cases, _ = sorted ~what ~in_order cases in
  match Ordered_mutex.protect_all (guards cases) (fun () -> attempt_any cases) with
  | None -> None
  | Some win -> Some (win.finish ())

let attempt_one c = match c.guard with Some g -> Ordered_mutex.protect g c.attempt | None -> c.attempt ()

let leave cases entries =
  Array.iteri
    (fun i e -> match cases.(i).guard with Some g -> Ordered_mutex.protect g e.remove | None -> e.remove ())
    entries

let gone = { finish = (fun () -> invalid_arg "Weft: internal error: a select that has ended"); undo = ignore }

(* One may come several times: to unlock it, or lock it again, twice does nothing. *)
let held cases = List.filter_map (fun c -> c.held) (Array.to_list cases)
let unlock m = if Fiber_mutex.Private.is_mine m then Fiber_mutex.unlock m

(* The mutexes of conditions are not held meanwhile. *)
let await_served ~what ?timeout cases ~leave ~lost waiter =
  match held cases with
  | [] -> Waiter.await ?timeout ~what ~leave ~lost waiter
  | mutexes -> (
      let lock_again () = List.iter Fiber_condition.Private.lock_again mutexes in
      let served () =
        List.iter unlock mutexes;
        Waiter.await ?timeout ~what ~leave ~lost waiter
      in
      match served () with
      | win -> (
          match lock_again () with
          | () -> win
          | exception exn ->
              (* The pool is being closed, say: nobody gets what was won. *)
              let backtrace = Printexc.get_raw_backtrace () in
              lost win;
              Printexc.raise_with_backtrace exn backtrace)
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          lock_again ();
          Printexc.raise_with_backtrace exn backtrace)

(* If no case can be done at once, one entry in the queue of each. *)
let wait ~what cases timeout =
  let waiter = Waiter.create () in
  let entries = Array.map (fun c -> c.entry waiter Fun.id) cases in
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
      let win = await_served ~what ?timeout cases ~leave ~lost waiter in
      leave ();
      win
  | exception exn ->
      (* The caller holds a lock of the cases. Some entries may be queued, and may have been served. *)
      let backtrace = Printexc.get_raw_backtrace () in
      if Waiter.wake waiter gone then leave () else lost (Waiter.await ~what ~leave:ignore waiter);
      Printexc.raise_with_backtrace exn backtrace

let choose ~what ~in_order cases =
  Poll.checkpoint ();
  let cases, time = sorted ~what ~in_order cases in
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
