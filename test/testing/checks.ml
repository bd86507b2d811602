module Alcotest = struct
  include Alcotest

  let saying = Mutex.create ()
  let check ?here ?pos t what a b = Mutex.protect saying (fun () -> check ?here ?pos t what a b)
end
