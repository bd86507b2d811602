(* Matrix product by rows, and all shortest paths by Floyd and Warshall: one loop, and many. *)

module T = Domainslib.Task

let product ~domains ~size =
  let a = Array.init size (fun i -> Array.init size (fun j -> float ((i + (2 * j)) mod 10))) in
  let b = Array.init size (fun i -> Array.init size (fun j -> float (((3 * i) + j) mod 7))) in
  let c = Array.make_matrix size size 0. in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () ->
      T.parallel_for pool ~start:0 ~finish:(size - 1) ~body:(fun i ->
          for j = 0 to size - 1 do
            let sum = ref 0. in
            for k = 0 to size - 1 do
              sum := !sum +. (a.(i).(k) *. b.(k).(j))
            done;
            c.(i).(j) <- !sum
          done));
  T.teardown_pool pool;
  let all = Array.fold_left (Array.fold_left ( +. )) 0. c in
  Printf.printf "product of %d: sum %.0f, corner %.0f\n" size all c.(size - 1).(size - 1)

let paths ~domains ~size =
  let far = max_int / 2 in
  let random = Random.State.make [| 11 |] in
  let edge i j =
    if i = j then 0 else if Random.State.int random 10 = 0 then 1 + Random.State.int random 99 else far
  in
  let d = Array.init size (fun i -> Array.init size (edge i)) in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () ->
      for k = 0 to size - 1 do
        let through = d.(k) in
        T.parallel_for pool ~start:0 ~finish:(size - 1) ~body:(fun i ->
            (* Row k stays as it is in this round. *)
            if i <> k then begin
              let row = d.(i) in
              let first = row.(k) in
              for j = 0 to size - 1 do
                let via = first + through.(j) in
                if via < row.(j) then row.(j) <- via
              done
            end)
      done);
  T.teardown_pool pool;
  let total = Array.fold_left (Array.fold_left (fun n x -> if x < far then n + x else n)) 0 d in
  Printf.printf "paths in %d: total length %d\n" size total
