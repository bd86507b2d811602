open Weft_bench_harness
open Weft_bench_contestants

let hour = 3600.

(* {1 Set and cancelled, one at a time} *)

let timeouts ~domains:_ n =
  let x = Sys.opaque_identity 1 in
  fun () ->
    let sum = ref 0 in
    for _ = 1 to n do
      sum := !sum + Weft.Cancel.with_timeout hour (fun () -> x)
    done;
    !sum

(* {1 Set and cancelled, all together} *)

(* Starts [n] fibers that sleep for an hour, cancels them, and returns how many were cancelled. *)
let cancellations ~domains:_ n () =
  let token = Weft.Cancel.create () and all_there = Weft.Promise.create () in
  let arrived = Atomic.make 0 and cancelled = Atomic.make 0 in
  let sleeper () =
    if Atomic.fetch_and_add arrived 1 = n - 1 then Weft.Promise.resolve all_there ();
    match Weft.sleep hour with () -> () | exception Weft.Cancel.Cancelled _ -> Atomic.incr cancelled
  in
  let sleepers = List.init n (fun _ -> sleeper) in
  let sleep_all () =
    match Weft.Cancel.within token (fun () -> Weft.all sleepers) with
    | (_ : unit list) -> ()
    | exception Weft.Cancel.Cancelled _ -> ()
  in
  let sleeping = Weft.async sleep_all in
  if n > 0 then Weft.await all_there;
  Weft.Cancel.cancel token;
  Weft.await sleeping;
  Atomic.get cancelled

(* {1 Many at once} *)

type slept = { late : float array; at_once : int; cpu : float  (** seconds *) }

(* The fibers wake some microseconds apart, in shuffled order; the first wakes when all should be asleep. *)
let apart = 5e-6
let to_fall_asleep = 30e-6
let duration n i = (float_of_int n *. to_fall_asleep) +. (float_of_int (i * 7919 mod n) *. apart)

(* The lateness counts from the time at which the fiber called [sleep]. *)
let late seconds =
  let from = Clock.now () in
  Weft.sleep seconds;
  Clock.now () -. from -. seconds

let rec raise_to most (x : int) =
  let seen = Atomic.get most in
  if x > seen && not (Atomic.compare_and_set most seen x) then raise_to most x

let sleeping ~domains:_ n =
  let late_by = Array.make n nan and asleep = Atomic.make 0 and most = Atomic.make 0 in
  let sleeper i () =
    raise_to most (Atomic.fetch_and_add asleep 1 + 1);
    late_by.(i) <- late (duration n i);
    Atomic.decr asleep
  in
  let sleepers = List.init n sleeper in
  fun () ->
    let cpu = Sys.time () in
    ignore (Weft.all sleepers : unit list);
    { late = late_by; at_once = Atomic.get most; cpu = Sys.time () -. cpu }

(* {1 One at a time} *)

let short = 0.001

let one_by_one late ~domains:_ n () =
  let cpu = Sys.time () in
  let late = Array.init n (fun _ -> late short) in
  { late; at_once = min n 1; cpu = Sys.time () -. cpu }

let late_select =
  let nothing = Weft.Chan.bounded 0 in
  fun seconds ->
    let from = Clock.now () in
    Weft.Select.(select [ recv nothing Fun.id; timeout seconds ignore ]);
    Clock.now () -. from -. seconds

let late_by_the_system seconds =
  let from = Clock.now () in
  Unix.sleepf seconds;
  Clock.now () -. from -. seconds

(* {1 The benchmarks} *)

(* Allows for rounding: the clock is a floating-point number of nanosecond precision. *)
let tolerance = 1e-6

let check_delays n late =
  let in_time = List.filter (fun x -> x >= -.tolerance) (Array.to_list late) in
  if Array.length late <> n then Operations.count "sleeps" n (Array.length late)
  else Operations.count "sleeps as long as asked for" n (List.length in_time)

let delays ?on ?(with_at_once = false) contestant program : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    if Option.fold on ~none:true ~some:(fun on -> on domains) then
      Some
        (Benchmark.Work
           {
             prepare = (fun () -> program ~domains size);
             compute = (fun run -> run ());
             check = (fun slept -> check_delays size slept.late);
             forks = None;
             figures =
               (fun ~seconds:_ slept ->
                 let at_once = { Figure.title = "at once"; value = float_of_int slept.at_once } in
                 let cpu = slept.cpu /. float_of_int size *. 1e6 in
                 (if with_at_once then [ at_once ] else [])
                 @ (if size > 0 then [ { Figure.title = "CPU/wait us"; value = cpu } ] else [])
                 @ Figure.distribution ~what:"late" slept.late);
           })
    else None
  in
  { contestant; work }

let timers : int Operations.kind =
  { figures = Figure.operations ~what:"timer"; check = Operations.count "timers" }

let benchmark = Operations.benchmark ~group:"timers"

let benchmarks : Benchmark.t list =
  [
    benchmark ~name:"timers_timeout" ~doc:"timeouts around a function that returns at once"
      ~size_doc:"the number of timeouts, one after the other" ~default_size:3_000_000
      [ Operations.way Weft_pool.fibers timers timeouts ];
    benchmark ~name:"timers_cancelled" ~doc:"fibers that sleep and are cancelled together"
      ~size_doc:"the number of fibers" ~default_size:100_000
      [ Operations.way Weft_pool.fibers timers cancellations ];
    {
      (benchmark ~name:"timers_sleep" ~doc:"fibers that sleep at once, and how late they wake"
         ~size_doc:"the number of fibers" ~default_size:100_000
         [ delays ~with_at_once:true Weft_pool.fibers sleeping ])
      with
      paced = true;
    };
    {
      (benchmark ~name:"timers_late" ~doc:"how late sleeps of a millisecond end"
         ~size_doc:"the number of sleeps, one after the other" ~default_size:500
         [
           delays Weft_pool.fibers (one_by_one late);
           delays Weft_pool.select (one_by_one late_select);
           delays ~on:(fun domains -> domains = 1) Threads.contestant (one_by_one late_by_the_system);
         ])
      with
      paced = true;
    };
  ]
