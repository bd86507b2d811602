module Alcotest = struct
  include Alcotest

  let lock = Mutex.create ()
  let check ?here ?pos t what a b = Mutex.protect lock (fun () -> check ?here ?pos t what a b)
end
