open Weft_platform

let ms n = n * 1_000_000
let after n = Timer_thread.now () + n
let seconds = 1_000_000_000

let with_alarm f =
  let a = Timer_thread.create () in
  Timer_thread.start ();
  Fun.protect (fun () -> f a) ~finally:(fun () -> Timer_thread.free a)

let wait_for = Testing.Watchdog.until
let wait_due a = wait_for "the alarm is due" (fun () -> Timer_thread.is_due a)
let check_bool = Alcotest.(check bool)

(* The thread tells all watchers while it holds the lock under which it makes an alarm due: once another
   thread has had that lock, all have been told. *)
let all_are_told () = Timer_thread.free (Timer_thread.create ())

(* --- times --- *)

let clock () =
  (* The interval of each clock contains that of the other: no single bound would be exact. Hundredths are
     allowed, for clocks that are adjusted. *)
  let wall () = int_of_float (Unix.gettimeofday () *. 1e9) in
  let outer = wall () in
  let before = Timer_thread.now () in
  let inner = wall () in
  Unix.sleepf 0.05;
  let inner = wall () - inner in
  let passed = Timer_thread.now () - before in
  let outer = wall () - outer in
  check_bool "nanoseconds" true (passed >= ms 50 && passed >= inner * 99 / 100 && passed <= outer * 101 / 100)

let in_time () =
  with_alarm @@ fun a ->
  check_bool "not due before it is set" false (Timer_thread.is_due a || Timer_thread.take_due a);
  for _ = 1 to 20 do
    let time = after (ms 5) in
    Timer_thread.set a time;
    wait_due a;
    check_bool "not before its time" true (Timer_thread.now () >= time);
    check_bool "taken" true (Timer_thread.take_due a);
    check_bool "taken once" false (Timer_thread.is_due a || Timer_thread.take_due a)
  done

let past () =
  with_alarm @@ fun a ->
  List.iter
    (fun time ->
      Timer_thread.set a time;
      wait_due a;
      ignore (Timer_thread.take_due a))
    [ 0; 1; -5; min_int; after 0; after (-1) ]

let earlier () =
  with_alarm @@ fun a ->
  Timer_thread.set a (after (100_000 * seconds));
  (* The thread probably sleeps by now, for long. *)
  Unix.sleepf 0.02;
  let time = after (ms 20) in
  Timer_thread.set a time;
  (* Later than the watchdog: if the thread waits for this time, the test hangs. *)
  Timer_thread.set a (after (50_000 * seconds));
  wait_due a;
  check_bool "not before its time" true (Timer_thread.now () >= time);
  ignore (Timer_thread.take_due a);
  Unix.sleepf 0.02;
  check_bool "the later time has been forgotten" false (Timer_thread.is_due a)

(* Another alarm's earlier time must wake the thread, and its later one must not keep the thread asleep. *)
let between_alarms () =
  with_alarm @@ fun a ->
  with_alarm @@ fun b ->
  Timer_thread.set a (after (100_000 * seconds));
  Unix.sleepf 0.01;
  Timer_thread.set b (after (ms 5));
  wait_due b;
  check_bool "only the one that is due" false (Timer_thread.is_due a);
  ignore (Timer_thread.take_due b);
  Timer_thread.set b (after (ms 5));
  wait_due b

let many () =
  let n = 1000 in
  let alarms = Array.init n (fun _ -> Timer_thread.create ()) in
  let random = Random.State.make [| 7 |] in
  let times = Array.map (fun _ -> after (ms 10 + Random.State.int random (ms 100))) alarms in
  Array.iteri (fun i a -> Timer_thread.set a times.(i)) alarms;
  let seen = ref 0 in
  wait_for "all alarms" (fun () ->
      Array.iteri
        (fun i a ->
          if Timer_thread.take_due a then begin
            incr seen;
            check_bool "not before its time" true (Timer_thread.now () >= times.(i))
          end)
        alarms;
      !seen >= n);
  Unix.sleepf 0.02;
  check_bool "each once" false (Array.exists Timer_thread.is_due alarms);
  Array.iter Timer_thread.free alarms

let freed () =
  let a = Timer_thread.create () in
  Timer_thread.set a (after (ms 20));
  Timer_thread.free a;
  Unix.sleepf 0.06;
  check_bool "no more" false (Timer_thread.is_due a);
  let b = Timer_thread.create () in
  Timer_thread.set b 0;
  wait_due b;
  Timer_thread.free b;
  let again = Timer_thread.create () in
  check_bool "the same memory" true (again == b);
  check_bool "starts anew" false (Timer_thread.is_due again);
  Unix.sleepf 0.02;
  check_bool "and is not set" false (Timer_thread.is_due again);
  Timer_thread.free again

let taken_once () =
  with_alarm @@ fun a ->
  let rounds = 3_000 in
  let round = Atomic.make 0 and arrived = Atomic.make 0 and taken = Atomic.make 0 in
  let rec wait spins condition =
    if not (condition ()) then begin
      if spins > 0 then Domain.cpu_relax () else Unix.sleepf 0.00001;
      wait (max 0 (spins - 1)) condition
    end
  in
  (* Both look at the same time. *)
  let take i =
    wait 1_000 (fun () -> Atomic.get round = i);
    if Timer_thread.take_due a then Atomic.incr taken;
    Atomic.incr arrived
  in
  let other = Domain.spawn (fun () -> List.iter take (List.init rounds succ)) in
  for i = 1 to rounds do
    Timer_thread.set a 0;
    wait 1_000 (fun () -> Timer_thread.is_due a);
    Atomic.set round i;
    take i;
    wait 1_000 (fun () -> Atomic.get arrived = 2 * i);
    if Atomic.get taken <> i then Alcotest.failf "round %d: taken %d times" i (Atomic.get taken - i + 1)
  done;
  Domain.join other

(* --- watchers that are told --- *)

type worker = { deque : string ref Deque_memory.t; parker : Parker.t }

let with_workers n f =
  with_alarm @@ fun a ->
  let wake = Deque_memory.make_word () in
  let workers =
    List.init n (fun id ->
        { deque = Deque_memory.make ~id ~capacity:16 ~wake; parker = Parker.create ~interruptible:false })
  in
  List.iter (fun w -> Timer_thread.watch a ~deque:w.deque ~parker:w.parker) workers;
  let result = f a workers in
  List.iter (fun w -> Deque_memory.free w.deque) workers;
  Deque_memory.free_word wake;
  result

let deques_called () =
  (* More watchers than the first memory block holds. *)
  with_workers 20 @@ fun a workers ->
  check_bool "not before" false (List.exists (fun w -> Deque_memory.limit w.deque = 0) workers);
  Timer_thread.set a 0;
  wait_due a;
  wait_for "all are called" (fun () -> List.for_all (fun w -> Deque_memory.limit w.deque = 0) workers)

(* Threads that wait, and the number that have been woken so far. *)
let waiting workers =
  let woken = Atomic.make 0 in
  let wait w =
    match Parker.park w.parker with
    | Token -> Atomic.incr woken
    | Timed_out | Interrupted -> failwith "no token"
  in
  let threads = List.map (Thread.create wait) workers in
  (woken, threads)

(* Repeated if the alarm is due before all wait: then all are given tokens, the busy one too. *)
let rec one_waiting () =
  let all_waited =
    with_workers 4 @@ fun a workers ->
    let busy = List.hd workers and others = List.tl workers in
    let woken, threads = waiting others in
    let rec wake expected =
      expected > 3
      || begin
           (* They probably wait by then. *)
           Timer_thread.set a (after (ms 20));
           wait_due a;
           all_are_told ();
           check_bool "taken" true (Timer_thread.take_due a);
           Parker.park_for busy.parker 0. = Timed_out
           && begin
                wait_for "one wakes" (fun () -> Atomic.get woken >= expected);
                Unix.sleepf 0.05;
                Alcotest.(check int) "only one" expected (Atomic.get woken);
                wake (expected + 1)
              end
         end
    in
    let all_waited = wake 1 in
    List.iter Thread.join threads;
    all_waited
  in
  if not all_waited then one_waiting ()

let none_waiting () =
  with_workers 3 @@ fun a workers ->
  Timer_thread.set a 0;
  wait_due a;
  all_are_told ();
  List.iter
    (fun w ->
      check_bool "a token each" true (Parker.park_for w.parker 0. = Token);
      check_bool "one" true (Parker.park_for w.parker 0. = Timed_out))
    workers

(* Workers as the interface describes them. The time comes at any moment while they go to sleep. *)
let no_time_is_missed () =
  with_workers 2 @@ fun a workers ->
  let rounds = 3_000 in
  let seen = Atomic.make 0 in
  let over () = Atomic.get seen >= rounds in
  let rec work random w =
    if not (over ()) then begin
      if Timer_thread.take_due a then begin
        Atomic.incr seen;
        if not (over ()) then Timer_thread.set a (after (Random.State.int random 30_000))
      end
      else begin
        (* The worker has looked, and is slow to go to sleep. *)
        for _ = 1 to Random.State.int random 3_000 do
          Domain.cpu_relax ()
        done;
        ignore (Parker.park w.parker : Parker.outcome)
      end;
      work random w
    end
  in
  let run w =
    work (Random.State.make [| Hashtbl.hash w.deque |]) w;
    List.iter (fun w -> Parker.unpark w.parker) workers
  in
  Testing.Watchdog.during (fun () -> Printf.sprintf "%d of %d times seen" (Atomic.get seen) rounds)
  @@ fun () ->
  Timer_thread.set a 0;
  List.iter Domain.join (List.map (fun w -> Domain.spawn (fun () -> run w)) workers)

(* The parkers and deques have been freed when the alarm is due. *)
let gone () =
  with_alarm @@ fun a ->
  let wake = Deque_memory.make_word () in
  let deque : string ref Deque_memory.t = Deque_memory.make ~id:0 ~capacity:16 ~wake in
  for _ = 1 to 1000 do
    Timer_thread.watch a ~deque ~parker:(Parker.create ~interruptible:false)
  done;
  Deque_memory.free deque;
  Gc.full_major ();
  (* These reuse the memory of the others, if it was freed. *)
  let strangers = List.init 2000 (fun _ -> Parker.create ~interruptible:false) in
  Timer_thread.set a 0;
  wait_due a;
  all_are_told ();
  check_bool "no tokens for others" true
    (List.for_all (fun p -> Parker.park_for p 0. = Parker.Timed_out) strangers);
  Deque_memory.free_word wake

let unpark_waiting () =
  with_workers 1 @@ fun _ workers ->
  let w = List.hd workers in
  check_bool "nobody" false (Parker.unpark_waiting w.parker);
  check_bool "and no token" true (Parker.park_for w.parker 0. = Timed_out);
  Parker.unpark w.parker;
  check_bool "a token, nobody" false (Parker.unpark_waiting w.parker);
  check_bool "the token" true (Parker.park_for w.parker 0. = Token);
  let woken, threads = waiting workers in
  wait_for "it waits, and is given a token" (fun () -> Parker.unpark_waiting w.parker);
  let given = List.init 100 (fun _ -> Bool.to_int (Parker.unpark_waiting w.parker)) in
  List.iter Thread.join threads;
  Alcotest.(check (pair int int)) "no other token" (0, 1) (List.fold_left ( + ) 0 given, Atomic.get woken)

(* --- the thread --- *)

let lines path = In_channel.with_open_bin path In_channel.input_all |> String.split_on_char '\n'

(* The thread's directory in /proc, and the value of a field of its status. *)
let thread () =
  let tasks = "/proc/self/task" in
  let is_it task =
    match lines (Filename.concat task "comm") with
    | name :: _ -> name = "weft-alarm"
    | [] | (exception Sys_error _) -> false
  in
  Sys.readdir tasks |> Array.to_list |> List.map (Filename.concat tasks) |> List.filter is_it

let field thread name =
  let of_line line =
    match String.split_on_char ':' line with [ n; v ] when n = name -> Some (String.trim v) | _ -> None
  in
  List.find_map of_line (lines (Filename.concat thread "status")) |> Option.get

let if_linux f () = if Sys.file_exists "/proc/self/task" then f () else Alcotest.skip ()

let nobody_ticks () =
  with_alarm @@ fun a ->
  Timer_thread.set a (after (100_000 * seconds));
  match thread () with
  | [ t ] ->
      let wakes () = int_of_string (field t "voluntary_ctxt_switches") in
      (* The thread may go to sleep late. *)
      Testing.Watchdog.until_undisturbed "it sleeps" (fun () ->
          let before = wakes () in
          Unix.sleepf 0.5;
          match wakes () - before with 0 -> Ok () | n -> Error (Printf.sprintf "it woke %d times" n));
      let mask = field t "SigBlk" in
      (* The last 32 of 64 bits. *)
      let blocked = int_of_string ("0x" ^ String.sub mask (String.length mask - 8) 8) in
      List.iter
        (fun signal -> check_bool "blocked" true (blocked land (1 lsl (signal - 1)) <> 0))
        [ 1; 2; 10; 12; 14; 15; 26; 27 ]
  | threads -> Alcotest.failf "%d threads" (List.length threads)

(* To be run before any domain is started: see Unix.fork. *)
let fork () =
  with_alarm @@ fun a ->
  with_alarm @@ fun b ->
  Timer_thread.set a (after (100_000 * seconds));
  let in_child () =
    let due = Timer_thread.take_due a and not_set = not (Timer_thread.is_due b) in
    Timer_thread.set b (after (ms 5));
    wait_due b;
    Timer_thread.start ();
    Timer_thread.set a (after (ms 5));
    wait_due a;
    due && not_set
  in
  (match Unix.fork () with
  | 0 -> Unix._exit (match in_child () with true -> 0 | false -> 1 | exception _ -> 2)
  | child -> check_bool "the child" true (snd (Unix.waitpid [] child) = WEXITED 0));
  check_bool "nothing in the parent" false (Timer_thread.is_due a);
  Timer_thread.set a (after (ms 5));
  wait_due a

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run "timer thread"
    [
      ("fork", [ case "a child's alarms go off, and its own thread is started" fork ]);
      ( "times",
        [
          case "the clock counts nanoseconds" clock;
          case "an alarm goes off after its time, and is taken once" in_time;
          case "a time that has passed comes at once" past;
          case "an earlier time comes before a later one, which is forgotten" earlier;
          case "alarms do not disturb each other" between_alarms;
          case "a thousand alarms go off once each" many;
          case "a freed alarm does not go off, and starts anew" freed;
          case "several takers: each going off is taken once" taken_once;
        ] );
      ( "who is told",
        [
          case "all deques are called" deques_called;
          case "one of those that wait is woken" one_waiting;
          case "if nobody waits, all have a token" none_waiting;
          case "no time is missed by who goes to sleep" no_time_is_missed;
          case "parkers and deques may be gone" gone;
          case "unpark_waiting gives a token to who waits, and only then" unpark_waiting;
        ] );
      ("the thread", [ case "there is one, it does not tick, and takes no signals" (if_linux nobody_ticks) ]);
    ]
