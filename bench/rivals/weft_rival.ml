module Channel : Rival.Channel = struct
  type 'a t = 'a Weft.Chan.t

  let make (capacity : Rival.capacity) =
    Some
      (fun () ->
        match capacity with
        | Rendezvous -> Weft.Chan.bounded 0
        | Bounded n -> Weft.Chan.bounded n
        | Unbounded -> Weft.Chan.unbounded ())

  let send c x = Weft.Chan.send c x
  let recv c = Weft.Chan.recv c
  let blocks_the_domain = false
end

module Weft_rival : Rival.S = struct
  let name = "weft"
  let doc = "Weft, through the signature for rivals"

  type pool = unit

  let run ~domains f = Weft_bench_contestants.Weft_pool.par.inside ~domains f

  type 'a promise = 'a Weft.promise

  let async () f = Weft.async f
  let await () promise = Weft.await promise
  let forks_by = `Par
  let par () f g = Weft.par f g

  let parallel_for () ?chunk_size ~start ~finish ~body () =
    Weft.parallel_for ?chunk_size ~start ~finish ~body ()

  let reduce () ?chunk_size ~start ~finish ~body combine init =
    Weft.parallel_for_reduce ?chunk_size ~start ~finish ~body combine init

  let scan = Some (fun () combine a -> Weft.parallel_scan combine a)
  let channel = Some (module Channel : Rival.Channel)
end
