(* When the tracer looked at the processor time, and what it saw, in ns. *)
let looks (trace : Trace.t) =
  let is_cpu (s : Trace.series) = s.counter = "process" && s.value = "cpu_us" in
  match Array.find_opt is_cpu trace.series with
  | None -> []
  | Some series ->
      List.map (fun (time, us) -> (time, Float.to_int (1e3 *. us))) (Array.to_list series.samples)

let is_known trace = List.compare_length_with (looks trace) 2 >= 0
let least_computing = 0.5

(* A part of [ns], as large as [part] is of [whole]. *)
let portion ns ~part ~whole = Float.to_int (float_of_int ns *. Finding.ratio part whole)

(* The greatest index at which a look is not after [time]; 0 if all are. *)
let last_look times time =
  let rec between low high =
    if high - low <= 1 then low
    else
      let middle = (low + high) / 2 in
      if times.(middle) <= time then between middle high else between low middle
  in
  between 0 (Array.length times)

(* For each time between two looks, how long workers had a processor within jobs: as far as is known, not while
   the thread was blocked or waited for a processor. *)
let used (trace : Trace.t) workers times =
  let used = Array.make (Array.length times) 0 in
  let each from until f =
    let i = ref (last_look times from) in
    while !i + 1 < Array.length times && times.(!i) < until do
      let from = max from times.(!i) and until = min until times.(!i + 1) in
      if from < until then used.(!i) <- used.(!i) + f from until;
      incr i
    done
  in
  let of_worker worker =
    let at_work = Workers.moments worker Workers.at_work in
    let within from until = Intervals.length (Intervals.overlap at_work ~from ~until) in
    Array.iter (fun (from, until) -> each from until within) (at_work :> (int * int) array);
    let without key =
      (* In damaged files such spans may overlap: of those only the first counts. *)
      let ended = ref 0 in
      let one (s : Trace.span) =
        match Event.int key s.arguments with
        | Some ns when s.category = Blocked && Workers.is_of trace worker s ->
            let whole = s.stop - s.start in
            let ns = Int.max 0 (Int.min ns whole) in
            each (Int.max s.start !ended) s.stop (fun from until ->
                -portion ns ~part:(within from until) ~whole);
            ended := Int.max !ended s.stop
        | _ -> ()
      in
      Array.iter one trace.apart
    in
    List.iter without [ "blocked_ns"; "waited_ns" ]
  in
  List.iter of_worker workers;
  Array.map (Int.max 0) used

let waited trace workers ~nobody =
  let looks = Array.of_list (looks trace) in
  let used = used trace workers (Array.map fst looks) in
  let between i =
    let (from, before), (until, after) = (looks.(i), looks.(i + 1)) in
    let empty = Intervals.overlap nobody ~from ~until in
    let computed = after - before - used.(i) in
    if Finding.ratio computed (Intervals.length empty) < least_computing then
      Array.to_list (empty :> (int * int) array)
    else []
  in
  Intervals.of_list (List.concat (List.init (max 0 (Array.length looks - 1)) between))
