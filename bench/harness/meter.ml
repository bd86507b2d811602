type sample = {
  seconds : float;
  cpu_seconds : float;
  switches : Proc.switches option;
  minor_collections : int option;
  major_collections : int option;
  peak_bytes : int option;
}

let cpu_seconds () =
  let t = Unix.times () in
  t.tms_utime +. t.tms_stime

let told = ref None
let tell sample = told := Some sample

let measure f =
  told := None;
  Proc.reset_peak_memory ();
  let threads = Proc.threads () in
  let gc = Gc.quick_stat () in
  let cpu = cpu_seconds () in
  let clock = Mtime_clock.counter () in
  let result = f () in
  let wall = Mtime_clock.count clock in
  let cpu' = cpu_seconds () in
  let gc' = Gc.quick_stat () in
  let switches =
    match (threads, Proc.threads ()) with
    | Some before, Some after -> Some (Proc.switches ~before ~after)
    | _ -> None
  in
  let here =
    {
      seconds = Mtime.Span.to_float_ns wall /. 1e9;
      cpu_seconds = cpu' -. cpu;
      switches;
      minor_collections = Some (gc'.minor_collections - gc.minor_collections);
      major_collections = Some (gc'.major_collections - gc.major_collections);
      peak_bytes = Proc.peak_memory ();
    }
  in
  (result, Option.value !told ~default:here)
