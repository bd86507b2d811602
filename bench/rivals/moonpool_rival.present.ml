(* Compiled only where moonpool is installed. The set-up cannot install it, so no test compiles this file.
   It was compiled and run by hand against moonpool's commit 720aad4, and works. *)

open Moonpool

module Channel : Rival.Channel = struct
  type 'a t = 'a Chan.t

  let make (capacity : Rival.capacity) =
    match capacity with
    | Bounded n -> Some (fun () -> Chan.create ~max_size:n ())
    | Rendezvous | Unbounded -> None

  let send = Chan.push
  let recv = Chan.pop
  let blocks_the_domain = false
end

module type Kind = sig
  val name : string
  val doc : string
  val with_pool : num_threads:int -> (Runner.t -> 'a) -> 'a
end

module Make (Kind : Kind) : Rival.S = struct
  include Kind

  type pool = { runner : Runner.t; threads : int }

  (* The caller only waits: it is not one of the threads. *)
  let run ~domains f =
    with_pool ~num_threads:domains (fun runner ->
        run_wait_block runner (fun () -> f { runner; threads = domains }))

  type 'a promise = 'a Fut.t

  let async pool f = Fut.spawn ~on:pool.runner f
  let await _ promise = Fut.await promise
  let forks_by = `Par
  let par _ f g = Moonpool_forkjoin.both f g

  let parallel_for _ ?chunk_size ~start ~finish ~body () =
    Moonpool_forkjoin.for_ ?chunk_size
      (max 0 (finish - start + 1))
      (fun low high ->
        for i = start + low to start + high do
          body i
        done)

  let reduce pool ?chunk_size ~start ~finish ~body combine init =
    let default = Halving.default_chunk ~domains:pool.threads ~start ~finish in
    let chunk_size = Option.value chunk_size ~default in
    Halving.reduce { par = (fun f g -> par pool f g) } ~chunk_size ~start ~finish ~body combine init

  let scan = None
  let channel = Some (module Channel : Rival.Channel)
end

module Work_stealing = Make (struct
  let name = "moonpool-ws"
  let doc = "Moonpool's work-stealing pool: Moonpool_forkjoin, Fut, Chan"
  let with_pool ~num_threads f = Ws_pool.with_ ~num_threads () f
end)

module Fifo = Make (struct
  let name = "moonpool-fifo"
  let doc = "Moonpool's pool with a single queue: Moonpool_forkjoin, Fut, Chan"
  let with_pool ~num_threads f = Fifo_pool.with_ ~num_threads () f
end)

let rivals = [ Rival.Present (module Work_stealing); Rival.Present (module Fifo) ]
