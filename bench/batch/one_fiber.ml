let rec pieces first n of_piece =
  if first < n then begin
    of_piece first (Int.min Methods.piece (n - first));
    pieces (first + Methods.piece) n of_piece
  end

(* The operations from [first] on that are of this kind, by their numbers. *)
let of_kind (workload : Workload.t) kind first count =
  let numbers = Array.make count 0 and found = ref 0 in
  for i = first to first + count - 1 do
    if Workload.kind_of workload.operations.(i) = kind then begin
      numbers.(!found) <- i;
      incr found
    end
  done;
  Array.sub numbers 0 !found

let exec_many (type m) (module M : Subject.MANY with type t = m) map (workload : Workload.t) answers =
  let key i = Workload.key_of workload.operations.(i) in
  let batch op numbers answer =
    if numbers <> [||] then
      let results = M.exec_many map (Array.map op numbers) in
      Array.iteri (fun j i -> answer i results.(j)) numbers
  in
  let is_found i found = if found then Bytes.set answers i Account.found in
  fun () ->
    pieces 0 (Array.length workload.operations) (fun first count ->
        let numbers kind = of_kind workload kind first count in
        batch (fun i -> M.mem (key i)) (numbers Search) is_found;
        batch (fun i -> M.add (key i) i) (numbers Add) (fun _ () -> ());
        batch (fun i -> M.remove (key i)) (numbers Remove) is_found)

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
