type hook = { start : unit -> unit; stop : unit -> unit }

(* Youngest first. *)
let hooks = Atomic.make []

let rec add ~start ~stop =
  let was = Atomic.get hooks in
  if not (Atomic.compare_and_set hooks was ({ start; stop } :: was)) then add ~start ~stop

let guard = Uncaught.guard "a function of Pool.on_worker"

let start () =
  let all = Atomic.get hooks in
  List.iter (fun h -> guard h.start) (List.rev all);
  fun () -> List.iter (fun h -> guard h.stop) all
