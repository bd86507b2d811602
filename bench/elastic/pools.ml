open Weft_bench_harness
open Weft_bench_contestants

type t = { submit : (unit -> unit) -> unit; for_ : int -> (int -> unit) -> unit }

let running : t option ref = ref None

let current () =
  match !running with Some pool -> pool | None -> invalid_arg "Pools.current: no contestant is running"

let as_current pool f =
  running := Some pool;
  Fun.protect f ~finally:(fun () -> running := None)

let in_place =
  {
    submit = (fun task -> task ());
    for_ =
      (fun n body ->
        for i = 0 to n - 1 do
          body i
        done);
  }

let none : Contestant.t =
  {
    name = "no-pool";
    doc = "the same on one thread, without any pool";
    role = Baseline;
    inside = (fun ~domains:_ f -> as_current in_place f);
  }

let of_parked pool =
  {
    submit = Parked.submit pool;
    for_ = (fun n body -> Parked.run_all pool (List.init n (fun i () -> body i)));
  }

let parked : Contestant.t =
  {
    name = "parked";
    doc = "a pool made by hand: Domain.spawn, one queue, workers parked at a Condition";
    role = Contender;
    inside = (fun ~domains f -> Parked.with_pool ~domains (fun pool -> as_current (of_parked pool) f));
  }

(* The domains of the last burst have ended when the next one begins. *)
let of_spawned running ~most =
  let join_all () =
    List.iter Domain.join !running;
    running := []
  in
  let submit task =
    if List.compare_length_with !running most >= 0 then join_all ();
    running := Domain.spawn task :: !running
  in
  {
    submit;
    for_ =
      (fun n body ->
        for i = 0 to n - 1 do
          submit (fun () -> body i)
        done;
        join_all ());
  }

let spawned : Contestant.t =
  {
    name = "spawned";
    doc = "no pool: a Domain.spawn for every task";
    role = Contender;
    inside =
      (fun ~domains f ->
        let running = ref [] in
        Fun.protect
          (fun () -> as_current (of_spawned running ~most:domains) f)
          ~finally:(fun () -> List.iter Domain.join !running));
  }

let of_weft pool =
  {
    submit = (fun task -> ignore (Weft.Pool.async pool task : unit Weft.promise));
    for_ = (fun n body -> Weft.Pool.run pool (fun () -> Weft.parallel_for ~start:0 ~finish:(n - 1) ~body ()));
  }

let weft_with ?minor_heap ~name ~doc () : Contestant.t =
  {
    name;
    doc;
    role = Contender;
    inside =
      (fun ~domains f -> Weft_pool.with_pool ?minor_heap ~domains (fun pool -> as_current (of_weft pool) f));
  }

let weft = weft_with ~name:"weft" ~doc:"a pool of Weft's" ()

let weft_equal_heap =
  weft_with ~minor_heap:262_144 ~name:"weft-256k"
    ~doc:"the same with minor heaps of 256k words, OCaml's usual size" ()

(* {1 Other libraries} *)

let rival_loops = Weft_bench_rivals.Rivals.(loops all)

let of_loop ((contestant : Contestant.t), (for_ : Weft_bench_suites.Ways.for_)) =
  let pool =
    {
      submit = (fun _ -> invalid_arg (contestant.name ^ ": no single tasks"));
      for_ = (fun n body -> for_ ~start:0 ~finish:(n - 1) ~body);
    }
  in
  { contestant with inside = (fun ~domains f -> contestant.inside ~domains (fun () -> as_current pool f)) }

let rivals = List.map of_loop rival_loops

(* {1 Idle pools} *)

let rest = 0.05

(* Each task blocks its domain, so that the other domains get tasks too. *)
let work_everywhere ~domains =
  let body i =
    ignore (Sys.opaque_identity (List.init 1_000 (fun k -> i + k)) : int list);
    Unix.sleepf 0.002
  in
  (current ()).for_ (4 * domains) body

let rested (contestant : Contestant.t) : Contestant.t =
  {
    contestant with
    inside =
      (fun ~domains f ->
        contestant.inside ~domains (fun () ->
            work_everywhere ~domains;
            Unix.sleepf rest;
            f ()));
  }
