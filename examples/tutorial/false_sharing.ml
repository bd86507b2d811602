let n = 100_000
let hit i = Bool.to_int (i mod 7 = 0)

(* Different elements, but of the same cache line: two domains take it from each other at each store. *)
let in_an_array () =
  let counts = Array.make 2 0 in
  Weft.parallel_for ~start:0 ~finish:1
    ~body:(fun half ->
      for i = half * n / 2 to ((half + 1) * n / 2) - 1 do
        counts.(half) <- counts.(half) + hit i
      done)
    ();
  counts.(0) + counts.(1)

(* One slot for each worker, far enough apart. *)
let in_slots () =
  let counts = Weft.Local.Worker_local.create (fun () -> 0) in
  Weft.parallel_for ~start:0 ~finish:(n - 1)
    ~body:(fun i -> Weft.Local.Worker_local.update counts (( + ) (hit i)))
    ();
  Weft.Local.Worker_local.fold ( + ) 0 counts

(* Nothing shared at all: best of all, and shortest. *)
let reduced () = Weft.parallel_for_reduce ~start:0 ~finish:(n - 1) ~body:hit ( + ) 0
let () = Printf.printf "%d %d %d\n" (in_an_array ()) (in_slots ()) (reduced ())
