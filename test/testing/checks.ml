module Alcotest = struct
  include Alcotest

  let lock = Mutex.create ()
  let check ?here ?pos t what a b = Mutex.protect lock (fun () -> check ?here ?pos t what a b)
end

let check what holds = if not holds then Alcotest.fail what

let check_bool what expected got =
  if expected <> got then Alcotest.failf "%s: expected %b, got %b" what expected got

let check_int what expected got =
  if expected <> got then Alcotest.failf "%s: expected %d, got %d" what expected got
