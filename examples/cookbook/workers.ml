module Chan = Weft.Chan
module Scope = Weft.Scope

(* [workers] tasks share what [jobs] yields. The channel holds few jobs: if the workers are slow, the producer waits. *)
let share ~workers work jobs =
  let queue = Chan.bounded 4 in
  Scope.run (fun scope ->
      for _ = 1 to workers do
        Scope.start scope (fun () -> Chan.iter work queue)
      done;
      Seq.iter (Chan.send queue) jobs;
      (* The workers end when the channel is closed and empty, the scope when they have. *)
      Chan.close queue)

let () =
  let done_ = Atomic.make 0 in
  share ~workers:3 (fun n -> ignore (Atomic.fetch_and_add done_ n)) (Seq.take 100 (Seq.ints 1));
  Printf.printf "the sum of all jobs is %d\n" (Atomic.get done_)
