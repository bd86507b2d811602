type t = Pools.t

exception Closed = Pool_state.Closed

(* --- making and finding --- *)

let create ?name ?domains () = Pools.create ?name ?domains ~caller:true "Weft.Pool.create"
let close p = Closing.close p "Weft.Pool.close"

let with_pool ?name ?domains f =
  let p = Pools.create ?name ?domains ~caller:true "Weft.Pool.with_pool" in
  Closing.use_and_close p "Weft.Pool.with_pool" (fun () -> f p)

let default = Pools.default
let default_domains = Pools.default_domains
let current = Pools.current
let find = Pools.find
let name = Pools.name
let domains = Pools.domains

(* --- using --- *)

let run p f = Pools.run p f "Weft.Pool.run"

type priority = Normal | Low

let async ?(priority = Normal) p f =
  Promise.Private.of_job (Pools.async ~background:(priority = Low) p f "Weft.Pool.async")

(* --- statistics --- *)

type worker_stats = Pool_state.worker_stats = {
  forks : int;
  jobs : int;
  steals : int;
  parks : int;
  wakes : int;
}

let stats = Pools.stats

let pp_stats ppf stats =
  Format.fprintf ppf "@[<v>%6s %14s %12s %12s %10s %10s" "worker" "forks" "jobs" "steals" "parks" "wakes";
  Array.iteri
    (fun i s -> Format.fprintf ppf "@,%6d %14d %12d %12d %10d %10d" i s.forks s.jobs s.steals s.parks s.wakes)
    stats;
  Format.fprintf ppf "@]"
