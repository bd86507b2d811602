(* When the tracer looked at the processor time, and what it saw, in ns. *)
let looks (trace : Trace.t) =
  let is_cpu (s : Trace.series) = s.counter = "process" && s.value = "cpu_us" in
  match Array.find_opt is_cpu trace.series with
  | None -> []
  | Some series ->
      List.map (fun (time, us) -> (time, Float.to_int (1e3 *. us))) (Array.to_list series.samples)

let least_computing = 0.5

let waited trace ~at_work ~nobody =
  let within set from until = Intervals.overlap set ~from ~until in
  let between from until ~cpu =
    let of_workers =
      List.fold_left (fun sum set -> sum + Intervals.length (within set from until)) 0 at_work
    in
    let empty = within nobody from until in
    if Finding.ratio (cpu - of_workers) (Intervals.length empty) < least_computing then Some empty else None
  in
  let rec all found = function
    | (t0, cpu0) :: ((t1, cpu1) :: _ as later) ->
        all (match between t0 t1 ~cpu:(cpu1 - cpu0) with Some set -> set :: found | None -> found) later
    | [ _ ] | [] -> found
  in
  Intervals.of_list
    (List.concat_map
       (fun set -> Array.to_list (set : Intervals.t :> (int * int) array))
       (all [] (looks trace)))
