(* Wrong functions that fail only if time passes while a fiber is ready. *)

open Points
module Chan = Weft.Chan
module Cancel = Weft.Cancel

let fault name f : Faults.t = { name; kind = Faults.assertion; f }

(* The time is up when the message has come, and the receiver is ready but has not gone on. *)
let lost_on_its_way () =
  let c = Chan.bounded 1 and got = ref 0 in
  let receive () =
    try
      Cancel.with_timeout 1. (fun () ->
          let v = Chan.recv c in
          point ();
          got := v)
    with Cancel.Timeout -> ()
  in
  both receive (fun () -> Chan.send c 1);
  assert (!got = 1 || Chan.length c = 1)

(* A sleep that shall be long enough. *)
let slept_too_little () =
  let ready = ref false in
  both
    (fun () ->
      Weft.sleep 1.;
      assert !ready)
    (fun () ->
      point ();
      point ();
      ready := true)

(* Who gives up hands back what it never got. *)
let handed_back_twice () =
  let free = ref 1 and gate = Weft.Semaphore.create 0 in
  let borrow () =
    decr free;
    (try
       Cancel.with_timeout 1. (fun () ->
           Weft.Semaphore.acquire gate;
           point ())
     with Cancel.Timeout -> incr free);
    incr free
  in
  both borrow (fun () -> Weft.Semaphore.release gate);
  assert (!free = 1)

(* Two that wait as long as each other: the first to give up sends to the second, whose time is not up yet. *)
let both_lead () =
  let c = Array.init 2 (fun _ -> Chan.bounded 1) and followers = ref 0 in
  let wait me () =
    match Cancel.with_timeout 1. (fun () -> Chan.recv c.(me)) with
    | () -> incr followers
    | exception Cancel.Timeout -> Chan.send c.(1 - me) ()
  in
  both (wait 0) (wait 1);
  assert (!followers = 1)

let one_time_out =
  [
    fault "a message lost on its way" lost_on_its_way;
    fault "a sleep that is too short" slept_too_little;
    fault "handed back twice" handed_back_twice;
  ]

(* Without timers, both time-outs come at the same moment, and it always fails. *)
let two_time_outs = fault "two leaders" both_lead
let all = two_time_outs :: one_time_out
