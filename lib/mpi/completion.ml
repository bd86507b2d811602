type level = Funneled | Serialized
type order = Watch of Pending.t | Withdrawn of Pending.t | Call of (unit -> unit)
type thread = Absent | Wanted | Present of Parker.t

let longest_pause = 2.5e-4
let idle = 0.1
let level = ref Serialized
let windows = Atomic.make 0

(* --- orders --- *)

let orders : order list Atomic.t = Atomic.make []
let lock = Lock.create ()
let thread = ref Absent
let ending = ref false

let rec add order =
  let before = Atomic.get orders in
  if not (Atomic.compare_and_set orders before (order :: before)) then add order

let unpark () = match !thread with Present parker -> Parker.unpark parker | Absent | Wanted -> ()
let pending () = Request_table.length () + Receives.length ()

let run_order = function
  | Watch p -> if Receives.lacks_message p then Receives.add p else Request_table.watch p
  | Withdrawn p -> Receives.withdraw p
  | Call f -> f ()

let take_orders () =
  if Atomic.get orders <> [] then List.iter run_order (List.rev (Atomic.exchange orders []))

let rec look times =
  let messages = Receives.look () in
  if Receives.are_none () || not (Request_table.is_empty ()) then
    Request_table.look (if messages then 1 else times) || messages
  else
    messages
    || times > 1
       && begin
            Domain.cpu_relax ();
            look (times - 1)
          end

(* --- its loop --- *)

let hard_rounds = 8
let first_pause = 5e-6
let leave () = Lock.protect lock (fun () -> thread := Absent)

(* Nothing has been pending for a while. *)
let may_end () =
  Lock.protect lock (fun () ->
      let ends = Atomic.get orders = [] && !level = Serialized in
      if ends then thread := Absent;
      ends)

let pause_of misses = Float.min longest_pause (Float.ldexp first_pause (Int.min 10 (misses - hard_rounds)))

let rec serve parker misses =
  take_orders ();
  if !ending || Exit_functions.is_ending () then leave ()
  else if pending () = 0 && Atomic.get windows = 0 then rest parker
  else if look 16 then serve parker 0
  else begin
    if misses >= hard_rounds then ignore (Parker.park_for parker (pause_of misses));
    serve parker (if Atomic.get orders = [] then misses + 1 else 0)
  end

and rest parker =
  match Parker.park_for parker idle with Timed_out when may_end () -> () | _ -> serve parker 0

let main parker = serve parker 0
let () = Exit_functions.on_exit unpark

let start_thread () =
  let parker = Parker.create ~interruptible:false in
  Lock.protect lock (fun () -> thread := Present parker);
  try
    Domain_start.with_signals_masked @@ fun masked ->
    Domain_start.start_apart (Runtime_threads.domain "Weft_mpi") ~masked (fun () -> main parker)
  with exn ->
    Lock.protect lock (fun () -> thread := Absent);
    raise exn

let submit order =
  add order;
  let is_mine () =
    match !thread with
    | Present parker ->
        Parker.unpark parker;
        false
    | Wanted -> false
    | Absent ->
        thread := Wanted;
        true
  in
  if Lock.protect lock is_mine then start_thread ()

(* From any thread, also where a lock is held. A request that is pending has its thread. *)
let withdraw_soon p =
  add (Withdrawn p);
  Lock.do_soon lock unpark

(* --- windows --- *)

let open_window () =
  Atomic.incr windows;
  submit (Call ignore)

let close_window () = Atomic.decr windows

(* --- the end --- *)

let stop () =
  ending := true;
  Lock.do_soon lock unpark
