open Weft_bench_contestants

module Sequential_rival : Rival.S = struct
  let name = "sequential"
  let doc = "no parallelism, through the signature for rivals"

  type pool = unit

  let run ~domains:_ f = f ()

  type 'a promise = 'a

  let async () f = f ()
  let await () value = value
  let forks_by = `Par

  let par () f g =
    let a = f () in
    (a, g ())

  let parallel_for () ?chunk_size:_ ~start ~finish ~body () = Plain.for_ ~start ~finish ~body

  let reduce () ?chunk_size:_ ~start ~finish ~body combine init =
    Plain.reduce ~start ~finish ~body combine init

  let scan =
    Some
      (fun () combine a ->
        let sums = Array.copy a in
        for i = 1 to Array.length a - 1 do
          sums.(i) <- combine sums.(i - 1) a.(i)
        done;
        sums)

  let channel = None
end
