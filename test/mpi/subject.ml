open Weft_mpi

let () =
  run (fun w ->
      let c = comm w in
      let n = 200_000 in
      let s = parallel_for_reduce w ~start:1 ~finish:n ~body:(fun i -> 1. /. float i) ( +. ) 0. in
      let a = init w 1000 (fun i -> sin (float i)) in
      let b = scan w ( +. ) a in
      let d = sort w compare a in
      let f =
        parallel_find_first w ~start:0 ~finish:100000 ~body:(fun i -> if i > 7777 then Some i else None) ()
      in
      if rank w = 0 then
        Printf.printf "size %d %h %h %h %s\n" (size w) s b.(999) d.(10)
          (match f with Some i -> string_of_int i | None -> "none");
      let t0 = Unix.gettimeofday () in
      let r = size w in
      if r = 2 then begin
        let a = Bigarray.(Array1.create char c_layout 8) in
        for _ = 1 to 10000 do
          if rank w = 0 then (
            Mpi.send c ~dest:1 a;
            ignore (Mpi.recv c a))
          else (
            ignore (Mpi.recv c a);
            Mpi.send c ~dest:0 a)
        done;
        if rank w = 0 then Printf.eprintf "pp %f us\n" ((Unix.gettimeofday () -. t0) *. 100.)
      end)
