open Weft_bench_harness
open Weft_bench_contestants

type late = { sleeps : float array; time_outs : float array; computing : float array }

(* From 1 to 6 ms, so that timers expire at any moment of the other work. *)
let seconds i = 0.001 +. (0.005 *. float_of_int (i * 7919 mod 1009) /. 1009.)

let late_sleep i =
  let seconds = seconds i in
  let due = Clock.now () +. seconds in
  Weft.sleep seconds;
  Clock.now () -. due

(* [f] must not return by itself. *)
let late_time_out f i =
  let seconds = seconds i in
  let due = Clock.now () +. seconds in
  match Weft.Cancel.with_timeout seconds f with
  | () -> nan
  | exception Weft.Cancel.Timeout -> Clock.now () -. due

let wait_for_ever () = Weft.await (Weft.Promise.create ())

let rec fork_for_ever () =
  let (), () = Weft.par (fun () -> Busy.spin 100) (fun () -> Busy.spin 100) in
  fork_for_ever ()

let one_by_one late n () = Array.init n late

let program load ~domains n () =
  Busy.beside load ~domains @@ fun () ->
  let some = (n + 2) / 3 in
  match
    Weft_pool.run
      [
        one_by_one late_sleep some;
        one_by_one (late_time_out wait_for_ever) some;
        one_by_one (late_time_out fork_for_ever) some;
      ]
  with
  | [ sleeps; time_outs; computing ] -> { sleeps; time_outs; computing }
  | _ -> assert false

let check n { sleeps; time_outs; computing } =
  let some = (n + 2) / 3 in
  List.fold_left
    (fun so_far late -> Result.bind so_far (fun () -> Timers.check_delays some late))
    (Ok ()) [ sleeps; time_outs; computing ]

let way load : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> program load ~domains size);
           compute = (fun run -> run ());
           check = check size;
           forks = None;
           figures =
             (fun ~seconds:_ { sleeps; time_outs; computing } ->
               Figure.distribution ~what:"late" (Array.concat [ sleeps; time_outs; computing ]));
         })
  in
  { contestant = Weft_pool.fibers; work }

let benchmark (load : Busy.load) =
  {
    (Operations.benchmark ~group:"timers_busy" ~name:("timers_busy_" ^ load.name)
       ~doc:("how late sleeps and time-outs are in a pool full of " ^ load.doc)
       ~size_doc:"the number of sleeps and time-outs, three at a time" ~default_size:300
       [ way load ])
    with
    paced = true;
    quick_size = Fun.const 12;
  }

let benchmarks =
  List.map benchmark Busy.[ awaits; forks; loops; batches; blocking; sorts; semaphores; channels ]
