type t = { inside : int Atomic.t; most : int Atomic.t }

let create () = { inside = Atomic.make 0; most = Atomic.make 0 }

let rec note t n =
  let most = Atomic.get t.most in
  if n > most && not (Atomic.compare_and_set t.most most n) then note t n

let within t f =
  note t (1 + Atomic.fetch_and_add t.inside 1);
  Fun.protect ~finally:(fun () -> Atomic.decr t.inside) f

let most t = Atomic.get t.most
