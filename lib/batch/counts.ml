open Weft_platform

type t = {
  mutable calls_in_place : int;
  mutable batches : int;
  mutable parallel : int;
  mutable calls : int;
  mutable joined : int;
  mutable ticks : int;
  sizes : int array;
  waits : int array;
}

let classes = 48

let make () =
  Multicore_magic.copy_as_padded
    {
      calls_in_place = 0;
      batches = 0;
      parallel = 0;
      calls = 0;
      joined = 0;
      ticks = 0;
      sizes = Array.make classes 0;
      waits = Array.make classes 0;
    }

let class_of n =
  let rec up c n = if n <= 1 || c = classes - 1 then c else up (c + 1) (n lsr 1) in
  up 0 n

let count counts n =
  let c = class_of n in
  counts.(c) <- counts.(c) + 1

let[@inline] in_place t = t.calls_in_place <- t.calls_in_place + 1

let batch t ~size ~parallel ~ticks =
  t.batches <- t.batches + 1;
  if parallel then t.parallel <- t.parallel + 1;
  t.calls <- t.calls + size;
  t.ticks <- t.ticks + ticks;
  count t.sizes size

let operations t = t.calls_in_place + t.calls
let joined t n = t.joined <- t.joined + n
let waited t ticks = count t.waits (max 1 ticks)

(* The length of a tick is known after some time. *)
let ticks_at_start = Tsc.now ()
let ns_at_start = Timer_thread.now ()

let ns_per_tick () =
  let rec measure () =
    let ns = Timer_thread.now () - ns_at_start and ticks = Tsc.now () - ticks_at_start in
    if ns < 100_000 then begin
      Domain.cpu_relax ();
      measure ()
    end
    else float_of_int ns /. float_of_int (max 1 ticks)
  in
  measure ()

(* The middle of the class in which the cumulative count reaches this share of all. *)
let quantile counts share =
  let all = Array.fold_left ( + ) 0 counts in
  if all = 0 then None
  else begin
    let wanted = Float.to_int (Float.ceil (share *. float_of_int all)) in
    let rec find c before =
      let before = before + counts.(c) in
      if before >= wanted || c = classes - 1 then c else find (c + 1) before
    in
    Some (1.5 *. Float.pow 2. (float_of_int (find 0 0)))
  end

let stats t cutoff : Stats.t =
  let tick = ns_per_tick () *. 1e-9 in
  let seconds q = Option.map (fun ticks -> ticks *. tick) (quantile t.waits q) in
  let mean = if t.batches = 0 then 0 else t.calls / t.batches in
  let alone, together = Cutoff.costs cutoff mean in
  let in_seconds = Option.map (fun ticks -> ticks *. tick) in
  let from = Cutoff.cutoff cutoff in
  let last = ref (classes - 1) in
  while !last > 0 && t.sizes.(!last) = 0 do
    decr last
  done;
  {
    in_place = t.calls_in_place;
    batched = t.calls;
    joined = t.joined;
    batches = t.batches;
    parallel = t.parallel;
    sizes = Array.sub t.sizes 0 (!last + 1);
    seconds = float_of_int t.ticks *. tick;
    wait_median = seconds 0.5;
    wait_p99 = seconds 0.99;
    alone = in_seconds alone;
    together = in_seconds together;
    cutoff = (if from = max_int then None else Some from);
  }
