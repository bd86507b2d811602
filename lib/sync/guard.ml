type t = { number : int; lock : Lock.t }

let numbers = Atomic.make 0
let create () = { number = Atomic.fetch_and_add numbers 1; lock = Lock.create () }
let number g = g.number + 1
let[@inline] protect g f = Lock.protect g.lock f

let rec protect_each gs f =
  match gs with [] -> f () | g :: rest -> Lock.protect g.lock (fun () -> protect_each rest f)

let protect_all gs f =
  match gs with
  | [] | [ _ ] -> protect_each gs f
  | gs -> protect_each (List.sort_uniq (fun g h -> Int.compare g.number h.number) gs) f
