open Weft_bench_harness
open Weft_bench_contestants

let sizes = [ 10; 20; 40; 80; 160; 320; 640; 1_250; 2_500; 10_000; 100_000; 1_000_000 ]

type point = { size : float; efficiency : float }

(* {1 Tasks} *)

let[@inline never] task steps =
  ignore (Sys.opaque_identity (Microseconds.chain steps 1));
  1

let now = Clock.now

(* The nanoseconds of a step, and of a task without steps. *)
let calibrate () =
  let best steps n =
    let once _ =
      let from = now () in
      for _ = 1 to n do
        ignore (Sys.opaque_identity (task (Sys.opaque_identity steps)))
      done;
      (now () -. from) *. 1e9 /. float_of_int n
    in
    List.fold_left Float.min Float.infinity (List.init 5 once)
  in
  let empty = best 0 20_000 in
  let step = (best 1_000 200 -. empty) /. 1_000. in
  (Float.max step 0.05, empty)

(* {1 Trees} *)

let plain steps n =
  let sum = ref 0 in
  for _ = 1 to n do
    sum := !sum + task steps
  done;
  !sum

let rec par steps n =
  if n = 1 then task steps
  else
    let half = n / 2 in
    let left, right = Weft.par (fun () -> par steps half) (fun () -> par steps (n - half)) in
    left + right

let rec async steps n =
  if n = 1 then task steps
  else
    let half = n / 2 in
    let left = Weft.async (fun () -> async steps half) in
    let right = async steps (n - half) in
    Weft.await left + right

(* {1 A run} *)

type load = { nanoseconds : int; steps : int; tasks : int }
type seen = { load : load; counted : int; point : point }

(* [microseconds] of work for each size of task, in at least one task. *)
let loads microseconds =
  let step, empty = calibrate () in
  let load nanoseconds =
    let steps = int_of_float (Float.round ((float_of_int nanoseconds -. empty) /. step)) in
    { nanoseconds; steps = max 0 steps; tasks = max 1 (microseconds * 1_000 / nanoseconds) }
  in
  List.map load sizes

(* One in so many tasks is enough to measure the work of a task. *)
let part_alone = 4

let timed f =
  let from = now () in
  let result = f () in
  (result, now () -. from)

(* Measures the work alone just before the tree, so that a drift of the machine hits both. Meanwhile the
   other domains may go to sleep, so a small tree wakes them first. *)
let run ~domains tree loads =
  let see ({ steps; tasks; _ } as load) =
    let part = (tasks + part_alone - 1) / part_alone in
    let (_ : int), alone = timed (fun () -> plain steps part) in
    ignore (Sys.opaque_identity (tree steps (Int.min part (2 * domains))));
    let counted, seconds = timed (fun () -> tree steps tasks) in
    let each = seconds *. float_of_int domains /. float_of_int tasks in
    { load; counted; point = { size = each *. 1e9; efficiency = alone /. float_of_int part /. each } }
  in
  List.map see loads

(* {1 What it shows} *)

let half = 0.5

let between effective other =
  let part = (effective.efficiency -. half) /. (effective.efficiency -. other.efficiency) in
  let log = Float.log in
  Float.exp (log effective.size +. (part *. (log other.size -. log effective.size)))

let least_effective points =
  let rec down last = function
    | [] -> Option.map (fun point -> point.size) last
    | point :: smaller when point.efficiency >= half -> down (Some point) smaller
    | point :: _ -> Option.map (fun effective -> between effective point) last
  in
  down None (List.rev points)

let title nanoseconds =
  if nanoseconds < 1_000 then Printf.sprintf "%% %dns" nanoseconds
  else if nanoseconds < 1_000_000 then Printf.sprintf "%% %gus" (float_of_int nanoseconds /. 1e3)
  else Printf.sprintf "%% %gms" (float_of_int nanoseconds /. 1e6)

let figures ~seconds:_ seen : Figure.t list =
  let metg = least_effective (List.map (fun { point; _ } -> point) seen) in
  Option.to_list (Option.map (fun value -> { Figure.title = "METG ns"; value }) metg)
  @ List.map
      (fun { load; point; _ } -> { Figure.title = title load.nanoseconds; value = 100. *. point.efficiency })
      seen

let check seen =
  let sum f = List.fold_left (fun sum one -> sum + f one) 0 seen in
  Operations.count "tasks" (sum (fun { load; _ } -> load.tasks)) (sum (fun { counted; _ } -> counted))

(* {1 The benchmark} *)

let way contestant tree : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         { prepare = (fun () -> loads size); compute = run ~domains tree; check; forks = None; figures })
  in
  { contestant; work }

let benchmark : Benchmark.t =
  {
    name = "metg";
    group = None;
    doc = "trees of equal tasks of 10 ns to 1 ms: what part of the time is work, and from what size on half";
    size_doc = "the microseconds of work for each size of task";
    grain = Fixed;
    sizes = (0, 10_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 50_000);
    more_sizes = [];
    quick_size = (fun _ -> 2_000);
    sweep_cutoffs = [];
    sweep_sizes = [ 5_000; 50_000; 500_000 ];
    (* The time of a run includes the loops that measure the work alone; they take the same time on any
       number of domains. *)
    paced = true;
    ways = [ way Weft_pool.par par; way Weft_pool.async async ];
  }
