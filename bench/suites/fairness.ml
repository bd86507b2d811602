open Weft_bench_harness
open Weft_bench_contestants

(* [turns ()] makes the state that all fibers share, and returns the function whose call [f i] is one turn
   of fiber [i]. *)
type kind = { name : string; doc : string; turns : unit -> int -> unit }

let rec forks n =
  if n > 1 then
    let (), () = Weft.par (fun () -> forks (n - 1)) (fun () -> forks (n - 2)) in
    ()

let kinds =
  [
    { name = "yield"; doc = "fibers that yield"; turns = (fun () _ -> Weft.yield ()) };
    {
      name = "yield-forks";
      doc = "fibers that yield on both sides of a fork";
      turns =
        (fun () _ ->
          let (), () = Weft.par Weft.yield Weft.yield in
          ());
    };
    {
      name = "yield-mixed";
      doc = "fibers that yield, half of which fork before";
      turns =
        (fun () i ->
          if i land 1 = 1 then forks 8;
          Weft.yield ());
    };
    {
      name = "mutex-turns";
      doc = "fibers that hold a mutex in turn";
      turns =
        (fun () ->
          let mutex = Weft.Mutex.create () in
          fun _ -> Weft.Mutex.protect mutex (fun () -> Busy.spin 100));
    };
    {
      name = "semaphore-turns";
      doc = "fibers that share a semaphore of two units, and hold one for some 10 us";
      turns =
        (fun () ->
          let semaphore = Weft.Semaphore.create 2 in
          fun _ -> Weft.Semaphore.protect semaphore (fun () -> Busy.spin 10_000));
    };
    { name = "compute"; doc = "fibers that fork and never wait"; turns = (fun () _ -> forks 15) };
  ]

(* The number of turns of each fiber. *)
let share ~fibers ~seconds { turns; _ } () =
  let counts = Array.make fibers (-1) and over = Atomic.make false in
  let began = Weft.Latch.create fibers and turn = turns () in
  let fiber i () =
    let n = ref 0 in
    Weft.Latch.count_down began;
    Weft.Latch.wait began;
    while not (Atomic.get over) do
      turn i;
      incr n
    done;
    counts.(i) <- !n
  in
  Weft.Scope.run (fun scope ->
      for i = 0 to fibers - 1 do
        ignore (Weft.Scope.async scope (fiber i) : unit Weft.promise)
      done;
      Weft.Latch.wait began;
      Weft.sleep seconds;
      Atomic.set over true);
  counts

let way fibers kind : Benchmark.way =
  let work ({ size; _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> share ~fibers ~seconds:(float_of_int size *. 1e-3) kind);
           compute = (fun run -> run ());
           check =
             (fun counts ->
               let ended = List.filter (fun n -> n >= 0) (Array.to_list counts) in
               Operations.count "fibers" fibers (List.length ended));
           forks = None;
           figures = Figure.shares ~what:"turn";
         })
  in
  {
    contestant = { name = kind.name; doc = kind.doc; role = Contender; inside = Weft_pool.fibers.inside };
    work;
  }

let benchmark fibers =
  {
    (Operations.benchmark ~group:"fairness"
       ~name:(Printf.sprintf "fairness_%d" fibers)
       ~doc:(Printf.sprintf "%d fibers: how many turns the first has, and how many the last" fibers)
       ~size_doc:"for how many milliseconds" ~default_size:1_000
       (List.map (way fibers) kinds))
    with
    paced = true;
    quick_size = Fun.const 10;
  }

let benchmarks = List.map benchmark [ 10; 100 ]
