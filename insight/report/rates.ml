type shape = As_it_is | Percent of { label : string; ns_per_unit : float } | Left_out

let shape (s : Trace.series) =
  match (s.counter, s.value) with
  | "cpu", "steal_ms" -> Percent { label = "CPU stolen, %"; ns_per_unit = 1e6 }
  | "cpu", _ -> Left_out
  | "process", "cpu_us" -> Percent { label = "CPU time, %"; ns_per_unit = 1e3 }
  | "process", "waiting_us" -> Percent { label = "waits for CPU, %"; ns_per_unit = 1e3 }
  | "process", _ -> Left_out
  | _ -> As_it_is

(* The rate of a sample is that of the time until the next sample. *)
let percent (s : Trace.series) ~label ~ns_per_unit =
  let last = Array.length s.samples - 1 in
  let rate i =
    let time, x = s.samples.(i) in
    if i = last then (time, 0.)
    else
      let time', x' = s.samples.(i + 1) in
      (time, Float.max 0. (100. *. (x' -. x) *. ns_per_unit /. float_of_int (max 1 (time' - time))))
  in
  { Trace.counter = label; value = label; id = ""; samples = Array.init (last + 1) rate }

let shown (trace : Trace.t) =
  let row (s : Trace.series) =
    if Array.length s.samples < 2 then None
    else
      match shape s with
      | As_it_is -> Some s
      | Left_out -> None
      | Percent { label; ns_per_unit } -> Some (percent s ~label ~ns_per_unit)
  in
  let is_about_all (s : Trace.series) = s.id = "" in
  let about_all, others = List.partition is_about_all (List.filter_map row (Array.to_list trace.series)) in
  about_all @ others
