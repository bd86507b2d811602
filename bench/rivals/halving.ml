open Weft_bench_contestants

type par = { par : 'a 'b. (unit -> 'a) -> (unit -> 'b) -> 'a * 'b }

let default_chunk ~domains ~start ~finish = max 1 ((finish - start + 1) / (8 * domains))

let rec for_ ({ par } as fork) ~chunk_size ~start ~finish ~body =
  if finish - start < chunk_size then Plain.for_ ~start ~finish ~body
  else
    let middle = start + ((finish - start) / 2) in
    let (), () =
      par
        (fun () -> for_ fork ~chunk_size ~start ~finish:middle ~body)
        (fun () -> for_ fork ~chunk_size ~start:(middle + 1) ~finish ~body)
    in
    ()

let rec reduce ({ par } as fork) ~chunk_size ~start ~finish ~body combine init =
  if finish - start < chunk_size then Plain.reduce ~start ~finish ~body combine init
  else
    let middle = start + ((finish - start) / 2) in
    let a, b =
      par
        (fun () -> reduce fork ~chunk_size ~start ~finish:middle ~body combine init)
        (fun () -> reduce fork ~chunk_size ~start:(middle + 1) ~finish ~body combine init)
    in
    combine a b
