(* Compiled only where picos_mux and picos_std are installed. The set-up cannot install them, so no test
   compiles this file. It was compiled and run by hand against picos' commit 6aaf75f, and works. *)

open Picos_std_structured

module Picos_rival : Rival.S = struct
  let name = "picos"
  let doc = "Picos: fibers of a Flock, on the scheduler Picos_mux_multififo"

  type pool = { domains : int }

  (* The caller is one of the domains. The forks of fibers inherit the flock. *)
  let run ~domains f =
    Picos_mux_multififo.run_on ~n_domains:domains (fun () -> Flock.join_after (fun () -> f { domains }))

  type 'a promise = 'a Promise.t

  let async _ f = Flock.fork_as_promise f
  let await _ promise = Promise.await promise
  let forks_by = `Async

  let par _ f g =
    let left = Flock.fork_as_promise f in
    let b = g () in
    (Promise.await left, b)

  let fork pool = { Halving.par = (fun f g -> par pool f g) }

  let chunk pool chunk_size ~start ~finish =
    match chunk_size with Some n -> n | None -> Halving.default_chunk ~domains:pool.domains ~start ~finish

  let parallel_for pool ?chunk_size ~start ~finish ~body () =
    let chunk_size = chunk pool chunk_size ~start ~finish in
    Halving.for_ (fork pool) ~chunk_size ~start ~finish ~body

  let reduce pool ?chunk_size ~start ~finish ~body combine init =
    let chunk_size = chunk pool chunk_size ~start ~finish in
    Halving.reduce (fork pool) ~chunk_size ~start ~finish ~body combine init

  let scan = None
  let channel = None
end

let rival = Rival.Present (module Picos_rival)
