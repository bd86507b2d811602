(* Many tasks share one queue. *)

module T = Weft_batch.Priority_queue.Make (Int)

(* Each element is popped once. Once nothing smaller is pushed any more, a task's pops are in order. *)
let in_and_out domains () =
  Weft.run ~domains (fun () ->
      let q = T.create () in
      let n = 10_000 in
      let seen = Array.init n (fun _ -> Atomic.make 0) in
      let pop () =
        match T.pop_min q with
        | None -> Alcotest.fail "empty, though more was pushed than popped"
        | Some (p, v) ->
            if p <> v * 7919 mod 1000 then Alcotest.fail "another's value";
            Atomic.incr seen.(v)
      in
      Weft.parallel_for ~start:0 ~finish:(n - 1) ~chunk_size:1
        ~body:(fun i ->
          T.push q (i * 7919 mod 1000) i;
          let length = T.length q in
          if length < 0 || length > n then Alcotest.fail "length";
          if i land 1 = 0 then pop ())
        ();
      T.quiesce q;
      T.exclusive q T.Sequential.check;
      let last = ref min_int in
      for _ = 1 to n / 2 do
        let least = match T.min_opt q with Some (p, _) -> p | None -> Alcotest.fail "empty" in
        if least < !last then Alcotest.fail "out of order";
        last := least;
        pop ()
      done;
      if T.pop_min q <> None then Alcotest.fail "not empty";
      Array.iter (fun s -> if Atomic.get s <> 1 then Alcotest.fail "lost, or doubled") seen)

(* Many tasks pop from a full queue: together they get the first elements. *)
let only_pops domains () =
  Weft.run ~domains (fun () ->
      let q = T.create () in
      T.push_all q (Array.init 20_000 (fun i -> (20_000 - i, i)));
      let got = Array.make 5_000 0 in
      Weft.parallel_for ~start:0 ~finish:4_999 ~chunk_size:1
        ~body:(fun i -> match T.pop_min q with Some (p, _) -> got.(i) <- p | None -> Alcotest.fail "empty")
        ();
      Array.sort Int.compare got;
      Array.iteri (fun i p -> if p <> i + 1 then Alcotest.fail "not the first ones") got)

let tests =
  List.concat_map
    (fun domains ->
      let case name f = Testing.Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (f domains) in
      [ case "in and out" in_and_out; case "only pops" only_pops ])
    (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])
