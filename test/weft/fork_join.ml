open Support

let results () =
  in_each_size @@ fun () ->
  Alcotest.(check (pair int string)) "par" (1, "b") (Weft.par (fun () -> 1) (fun () -> "b"));
  let a, b, c = Weft.par3 (fun () -> 1) (fun () -> 'x') (fun () -> 2.5) in
  Alcotest.(check bool) "par3" true ((a, b, c) = (1, 'x', 2.5));
  let a, b, c, d = Weft.par4 (fun () -> 1) (fun () -> 2) (fun () -> 3) (fun () -> 4) in
  Alcotest.(check (list int)) "par4" [ 1; 2; 3; 4 ] [ a; b; c; d ];
  List.iter
    (fun n ->
      let expected = List.init n (fun i -> i * i) in
      Alcotest.(check (list int)) "all" expected (Weft.all (List.init n (fun i () -> i * i))))
    [ 0; 1; 2; 3; 7; 1000 ]

let fib_without_cutoff () = in_each_size @@ fun () -> check_int "fib 25" (fib_of 25) (fib 25)

(* Each leaf counts its run: no leaf is lost or runs twice, whoever takes it. *)
let exactly_once () =
  in_each_size @@ fun () ->
  for round = 1 to tries (if is_tiny then 5 else 20) do
    let n = 20_000 in
    let marks = Array.init n (fun _ -> Atomic.make 0) in
    let rec walk low high =
      if high - low = 1 then begin
        if low mod 97 = round then spin 2_000;
        Atomic.incr marks.(low)
      end
      else
        let middle = low + 1 + ((high - low - 1) * (1 + (low mod 3)) / 4) in
        let middle = min (high - 1) middle in
        let (), () = Weft.par (fun () -> walk low middle) (fun () -> walk middle high) in
        ()
    in
    walk 0 n;
    Array.iteri
      (fun i m -> if Atomic.get m <> 1 then Alcotest.failf "leaf %d ran %d times" i (Atomic.get m))
      marks
  done

let deep_left () =
  with_deep_in_each_size @@ fun n ->
  let rec down n =
    if n = 0 then 0
    else
      let a, b = Weft.par (fun () -> down (n - 1)) (fun () -> 1) in
      a + b
  in
  check_int "depth" n (down n)

let deep_right () =
  with_deep_in_each_size @@ fun n ->
  let rec down n =
    if n = 0 then 0
    else
      let a, b = Weft.par (fun () -> 1) (fun () -> down (n - 1)) in
      a + b
  in
  check_int "depth" n (down n)

(* Promises lie above the right side's job in the deque: the join must find the job below them. *)
let left_leaves_promises_above () =
  in_each_size @@ fun () ->
  let rec walk depth =
    if depth = 0 then []
    else
      let left, right =
        Weft.par
          (fun () ->
            let ps =
              List.init 3 (fun i ->
                  Weft.async (fun () ->
                      spin 500;
                      (depth * 10) + i))
            in
            ps @ walk (depth - 1))
          (fun () -> walk (depth - 2 |> max 0))
      in
      left @ right
  in
  let ps = walk 12 in
  let sum = List.fold_left (fun s p -> s + Weft.await p) 0 ps in
  let rec expected d = if d = 0 then 0 else (30 * d) + 3 + expected (d - 1) + expected (max 0 (d - 2)) in
  check_int "sum" (expected 12) sum

(* A fiber that suspends inside the left side and goes on elsewhere must still join its own right side. *)
let suspension_inside_left () =
  in_each_size @@ fun () ->
  let rec walk depth =
    if depth = 0 then 1
    else
      let a, b =
        Weft.par
          (fun () ->
            Weft.yield ();
            walk (depth - 1))
          (fun () ->
            if depth land 1 = 0 then Weft.yield ();
            walk (depth - 1))
      in
      Weft.yield ();
      a + b
  in
  check_int "leaves" 4096 (walk 12)

let tests =
  [
    case "results come back in order" results;
    case "fib without cutoff" fib_without_cutoff;
    case "every leaf runs exactly once" exactly_once;
    case "a million forks deep on the left" deep_left;
    case "a million forks deep on the right" deep_right;
    case "the left side may leave promises above the right side's job" left_leaves_promises_above;
    case "a fiber that moves joins its own right side" suspension_inside_left;
  ]
