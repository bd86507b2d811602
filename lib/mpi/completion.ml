type level = Funneled | Serialized
type status = int array
type keep = Keep : 'a -> keep
type wish = Request | Message of { source : int; tag : int; comm : Raw.comm }
type on_cancel = Go_on | Withdraw | Wait

type pending = {
  what : string;
  keep : keep; [@warning "-unused-field"] (* read by the collector alone *)
  wish : wish;
  on_cancel : on_cancel;
  mutable request : Raw.request;
  mutable message : Raw.message;
  status : status;
  outcome : unit Job.t;
  mutable reason : exn option; (* why a receive is given up; written before its order *)
}

type order = Watch of pending | Withdrawn of pending | Call of (unit -> unit)
type thread = Absent | Wanted | Present of Parker.t

let longest_pause = 2.5e-4
let idle = 0.1
let level = ref Serialized
let windows = Atomic.make 0

(* --- settling, on any thread --- *)

let settle p outcome =
  match Job.try_settle p.outcome outcome with None -> () | Some waiters -> Resume.deliver p.outcome waiters

let error p code = Raw.Error { call = p.what; code; text = Raw.error_text code }
let raised exn = Job.Raised (Job.failure exn (Printexc.get_callstack 0))

(* The status has been written. *)
let completed p = settle p (if p.status.(3) <> 0 then raised (error p p.status.(3)) else Returned ())

(* --- orders --- *)

let orders : order list Atomic.t = Atomic.make []
let lock = Lock.create ()
let thread = ref Absent
let ending = ref false

let rec add order =
  let before = Atomic.get orders in
  if not (Atomic.compare_and_set orders before (order :: before)) then add order

let unpark () = match !thread with Present parker -> Parker.unpark parker | Absent | Wanted -> ()

(* --- the communication thread's table --- *)

type table = {
  mutable entries : pending array;
  mutable requests : int array; (* the same, for MPI *)
  mutable count : int;
  mutable told : int array;
}

let table = { entries = [||]; requests = [||]; count = 0; told = [||] }

let grow p =
  let size = Int.max 16 (2 * table.count) in
  let entries = Array.make size p and requests = Array.make size 0 in
  Array.blit table.entries 0 entries 0 table.count;
  Array.blit table.requests 0 requests 0 table.count;
  table.entries <- entries;
  table.requests <- requests;
  table.told <- Array.make (size * (1 + Raw.status_words)) 0

let watch p =
  if table.count = Array.length table.entries then grow p;
  table.entries.(table.count) <- p;
  table.requests.(table.count) <- (p.request :> int);
  table.count <- table.count + 1

(* What has completed is left in the table by the last step, so that nothing is kept alive by it. *)
let nothing =
  {
    what = "";
    keep = Keep ();
    wish = Request;
    on_cancel = Go_on;
    request = Raw.no_request;
    message = Raw.no_message;
    status = [||];
    outcome = Job.pending ();
    reason = None;
  }

let remove i =
  let last = table.count - 1 in
  table.entries.(i) <- table.entries.(last);
  table.requests.(i) <- table.requests.(last);
  table.entries.(last) <- nothing;
  table.count <- last

(* --- messages that fibers wait for --- *)

(* The first to wait comes first. *)
let wanted : pending Queue.t = Queue.create ()

let matches p =
  match p.wish with
  | Request -> false
  | Message m ->
      p.message <- Raw.matching m.source m.tag m.comm p.status;
      p.message <> Raw.no_message || p.status.(3) <> 0

(* Whether one has come. Those that are left keep their order. *)
let look_for_messages () =
  let found = ref false in
  for _ = 1 to Queue.length wanted do
    let p = Queue.take wanted in
    if matches p then begin
      found := true;
      completed p
    end
    else Queue.add p wanted
  done;
  !found

let[@inline never] pending () = table.count + Queue.length wanted

let withdraw p =
  let is_there = ref false in
  for _ = 1 to Queue.length wanted do
    let other = Queue.take wanted in
    if other == p then is_there := true else Queue.add other wanted
  done;
  match p.reason with Some exn when !is_there -> settle p (raised exn) | _ -> ()

let obey = function
  | Watch ({ wish = Message _; _ } as p) -> Queue.add p wanted
  | Watch p -> watch p
  | Withdrawn p -> withdraw p
  | Call f -> f ()

let take_orders () = if Atomic.get orders <> [] then List.iter obey (List.rev (Atomic.exchange orders []))

(* [n] have completed. Their indices are not in order: removing goes from the last entry down. *)
let settle_told n =
  let width = 1 + Raw.status_words in
  let take k = (table.told.(k * width), Array.sub table.told ((k * width) + 1) Raw.status_words) in
  let done_ = List.sort (fun (i, _) (j, _) -> Int.compare j i) (List.init n take) in
  let settle_one (i, status) =
    let p = table.entries.(i) in
    remove i;
    Array.blit status 0 p.status 0 Raw.status_words;
    completed p
  in
  List.iter settle_one done_

let fail_all code =
  for i = table.count - 1 downto 0 do
    let p = table.entries.(i) in
    remove i;
    settle p (raised (error p code))
  done

(* Whether something happened. *)
let look_at_requests times =
  let n = Raw.poll table.requests table.count table.told times in
  if n >= 0 then settle_told n else fail_all (-1 - n);
  n <> 0

let rec look times =
  let messages = look_for_messages () in
  if table.count > 0 || Queue.is_empty wanted then
    look_at_requests (if messages then 1 else times) || messages
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
