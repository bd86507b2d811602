open Weft_bench_harness

type t = {
  mutable number : int;
  mutable sum : int;
  mutable squares : int;
  mutable last : int;
  mutable fell : bool;
}

let create () = { number = 0; sum = 0; squares = 0; last = -1; fell = false }

let add t x =
  t.number <- t.number + 1;
  t.sum <- t.sum + x;
  t.squares <- t.squares + (x * x);
  if x <= t.last then t.fell <- true;
  t.last <- x

let check ?(in_order = false) n tallies =
  let all f = List.fold_left (fun sum t -> sum + f t) 0 tallies in
  let expected = create () in
  for x = 0 to n - 1 do
    add expected x
  done;
  let number = all (fun t -> t.number) in
  if number <> n then Operations.count "messages" n number
  else if all (fun t -> t.sum) <> expected.sum || all (fun t -> t.squares) <> expected.squares then
    Error { Benchmark.expected = Printf.sprintf "the messages 0 to %d" (n - 1); got = "as many, but others" }
  else if in_order && List.exists (fun t -> t.fell) tallies then
    Error { Benchmark.expected = "the messages in the order in which they were sent"; got = "another order" }
  else Ok ()
