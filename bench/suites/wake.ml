open Weft_bench_harness
open Weft_bench_contestants

(* Some fifty times as long as a worker searches before it sleeps. *)
let pause = 0.0005

(* [delays ~submit n] are the delays of [n] jobs. Waiting for a promise of Weft would run the job in place;
   so the caller sleeps and checks a counter. *)
let delays ~submit n =
  let started = Array.make n nan and asked = Array.make n nan and ended = Atomic.make 0 in
  Unix.sleepf pause;
  for i = 0 to n - 1 do
    asked.(i) <- Clock.now ();
    submit (fun () ->
        started.(i) <- Clock.now ();
        Atomic.incr ended);
    while
      Unix.sleepf pause;
      Atomic.get ended <= i
    do
      ()
    done
  done;
  Array.map2 (fun started asked -> started -. asked) started asked

(* {1 Methods} *)

let submitting ~domains:_ n () =
  let pool = Weft_pool.outside_pool () in
  delays ~submit:(fun job -> ignore (Weft.Pool.async pool job : unit Weft.promise)) n

type hand_over = {
  mutex : Mutex.t;
  changed : Condition.t;
  mutable job : (unit -> unit) option;
  mutable over : bool;
}

let rec serve h =
  Mutex.lock h.mutex;
  while Option.is_none h.job && not h.over do
    Condition.wait h.changed h.mutex
  done;
  let job = h.job in
  h.job <- None;
  Mutex.unlock h.mutex;
  match job with
  | None -> ()
  | Some job ->
      job ();
      serve h

let handing_over ~domains n =
  let h = { mutex = Mutex.create (); changed = Condition.create (); job = None; over = false } in
  let change f =
    Mutex.lock h.mutex;
    f ();
    Mutex.unlock h.mutex
  in
  let submit job =
    change (fun () -> h.job <- Some job);
    Condition.signal h.changed
  in
  let submitter () =
    let all = delays ~submit n in
    change (fun () -> h.over <- true);
    Condition.broadcast h.changed;
    all
  in
  let server () =
    serve h;
    [||]
  in
  fun () -> List.hd (Threads.run (submitter :: List.init (max 1 (domains - 1)) (fun _ -> server)))

(* {1 The benchmark} *)

let check n all =
  let is_time x = Float.is_finite x && x >= 0. in
  let times = List.filter is_time (Array.to_list all) in
  if Array.length all <> n then Operations.count "jobs" n (Array.length all)
  else Operations.count "jobs started after they were submitted" n (List.length times)

let way contestant program : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> program ~domains size);
           compute = (fun run -> run ());
           check = check size;
           forks = None;
           figures = (fun ~seconds:_ all -> Figure.distribution ~what:"wake" all);
         })
  in
  { contestant; work }

let benchmark : Benchmark.t =
  let benchmark =
    Operations.benchmark ~name:"wake" ~doc:"from submitting a job to a sleeping pool until it starts"
      ~size_doc:"the number of jobs, one after the other" ~default_size:2_000
      [ way Weft_pool.submit submitting; way Threads.contestant handing_over ]
  in
  { benchmark with paced = true }
