let rec pieces first n of_piece =
  if first < n then begin
    of_piece first (Int.min Methods.piece (n - first));
    pieces (first + Methods.piece) n of_piece
  end

(* The operations from [first] on that are of this kind, by their numbers. *)
let of_kind (workload : Workload.t) kind first count =
  let numbers = List.init count (fun j -> first + j) in
  Array.of_list (List.filter (fun i -> Workload.kind_of workload.operations.(i) = kind) numbers)

let exec_many (type m) (module M : Subject.MANY with type t = m) map (workload : Workload.t) answers =
  let key i = Workload.key_of workload.operations.(i) in
  let batch op numbers answer =
    if numbers <> [||] then
      let results = M.exec_many map (Array.map op numbers) in
      Array.iteri (fun j i -> answer i results.(j)) numbers
  in
  let is_found i found = if found then Bytes.set answers i Account.found in
  let batches = ref [] in
  pieces 0 (Array.length workload.operations) (fun first count ->
      let numbers kind = of_kind workload kind first count in
      batches := (numbers Search, numbers Add, numbers Remove) :: !batches);
  let batches = List.rev !batches in
  fun () ->
    List.iter
      (fun (searches, adds, removals) ->
        batch (fun i -> M.mem (key i)) searches is_found;
        batch (fun i -> M.add (key i) i) adds (fun _ () -> ());
        batch (fun i -> M.remove (key i)) removals is_found)
      batches

type promise = Found of bool Weft.Promise.t | Added of unit Weft.Promise.t

let submit (type m) (module M : Subject.MANY with type t = m) map (workload : Workload.t) answers =
  let submit i =
    let operation = workload.operations.(i) in
    let key = Workload.key_of operation in
    match Workload.kind_of operation with
    | Search -> Found (M.submit map (M.mem key))
    | Add -> Added (M.submit map (M.add key i))
    | Remove -> Found (M.submit map (M.remove key))
  in
  let await i = function
    | Found promise -> if Weft.await promise then Bytes.set answers i Account.found
    | Added promise -> Weft.await promise
  in
  fun () ->
    pieces 0 (Array.length workload.operations) (fun first count ->
        let promises = Array.init count (fun j -> submit (first + j)) in
        Array.iteri (fun j promise -> await (first + j) promise) promises)
