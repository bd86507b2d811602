let check what is_right = if not is_right then failwith (what ^ " is wrong")

let rec fib n =
  if n < 2 then n else Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) |> fun (a, b) -> a + b

let messages () =
  let numbers = Weft.Chan.bounded 4 in
  Weft.Scope.run (fun scope ->
      Weft.Scope.start scope (fun () ->
          List.iter (Weft.Chan.send numbers) (List.init 100 Fun.id);
          Weft.Chan.close numbers);
      let sum = ref 0 in
      Weft.Chan.iter (fun n -> sum := !sum + n) numbers;
      !sum)

let through_a_pipe text =
  let to_read, to_write = Weft_unix.pipe () in
  let writer =
    Weft.async (fun () ->
        Weft_unix.write_string to_write text;
        Weft_unix.close to_write)
  in
  let read = Weft_unix.read_all to_read in
  Weft_unix.close to_read;
  Weft.await writer;
  read

let () =
  check "a fork" (fib 20 = 6765);
  check "a loop" (Weft.parallel_for_reduce ~start:1 ~finish:100_000 ~body:Fun.id ( + ) 0 = 5_000_050_000);
  check "a sort"
    (Weft.Array.sorted compare (Array.init 10_000 (fun i -> 9_999 - i)) = Array.init 10_000 Fun.id);
  check "a channel" (messages () = 4950);
  check "a lock" (Weft.Mutex.protect (Weft.Mutex.create ()) (fun () -> true));
  check "a time-out"
    (match Weft.Cancel.with_timeout 0.001 (fun () -> Weft.sleep 3600.) with
    | () -> false
    | exception Weft.Cancel.Timeout -> true);
  check "a pool" (Weft.run ~domains:2 (fun () -> fib 10) = 55);
  let long = String.make 200_000 'x' in
  check "a pipe" (Weft.run (fun () -> through_a_pipe long) = long)
