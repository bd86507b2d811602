type t = { sold : int Atomic.t; seats : int }

let make seats = { sold = Atomic.make 0; seats }
let sold t = Atomic.get t.sold

(* Wrong: two see the last free seat, and both take it. *)
let hasty t =
  Atomic.get t.sold < t.seats
  && begin
       Atomic.incr t.sold;
       true
     end

let rec careful t =
  let sold = Atomic.get t.sold in
  sold < t.seats && (Atomic.compare_and_set t.sold sold (sold + 1) || careful t)
