(* A cache: of the tasks that ask for the same key, one computes the value and the others wait for it. The lock is held for
   the look-up alone. *)
type ('k, 'v) cache = { lock : Weft.Mutex.t; values : ('k, 'v Weft.Once.t) Hashtbl.t; compute : 'k -> 'v }

let make compute = { lock = Weft.Mutex.create (); values = Hashtbl.create 16; compute }

let find cache key =
  let value =
    Weft.Mutex.protect cache.lock (fun () ->
        match Hashtbl.find_opt cache.values key with
        | Some value -> value
        | None ->
            let value = Weft.Once.make (fun () -> cache.compute key) in
            Hashtbl.add cache.values key value;
            value)
  in
  Weft.Once.get value

let () =
  let computed = Atomic.make 0 in
  let squares =
    make (fun n ->
        Atomic.incr computed;
        Weft.sleep 0.001;
        n * n)
  in
  let sum = Weft.parallel_for_reduce ~start:0 ~finish:999 ~body:(fun i -> find squares (i mod 5)) ( + ) 0 in
  Printf.printf "sum %d, %d values computed\n" sum (Atomic.get computed)
