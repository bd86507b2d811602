(* Compiled only where domainslib is installed. It was tried with weft-domainslib, which has the same
   interface. *)

module Task = Domainslib.Task
module Chan = Domainslib.Chan

module Channel : Rival.Channel = struct
  type 'a t = 'a Chan.t

  let make (capacity : Rival.capacity) =
    Some
      (fun () ->
        match capacity with
        | Rendezvous -> Chan.make_bounded 0
        | Bounded n -> Chan.make_bounded n
        | Unbounded -> Chan.make_unbounded ())

  let send = Chan.send
  let recv = Chan.recv
  let blocks_the_domain = true
end

module Domainslib_rival : Rival.S = struct
  let name = "domainslib"
  let doc = "domainslib: Task.async and Task.await, Task.parallel_for and its kin, Chan"

  type pool = Task.pool

  (* The caller of [Task.run] is one of the domains. *)
  let run ~domains f =
    let pool = Task.setup_pool ~num_domains:(domains - 1) () in
    Fun.protect ~finally:(fun () -> Task.teardown_pool pool) (fun () -> Task.run pool (fun () -> f pool))

  type 'a promise = 'a Task.promise

  let async = Task.async
  let await = Task.await
  let forks_by = `Async

  let par pool f g =
    let left = Task.async pool f in
    let b = g () in
    (Task.await pool left, b)

  let parallel_for pool ?chunk_size ~start ~finish ~body () =
    Task.parallel_for ?chunk_size ~start ~finish ~body pool

  let reduce pool ?chunk_size ~start ~finish ~body combine init =
    Task.parallel_for_reduce ?chunk_size ~start ~finish ~body pool combine init

  let scan = Some (fun pool combine a -> if a = [||] then [||] else Task.parallel_scan pool combine a)
  let channel = Some (module Channel : Rival.Channel)
end

let rival = Rival.Present (module Domainslib_rival)
