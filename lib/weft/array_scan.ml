(* The range of [a] that begins at [start]; [r] may be [a] itself, since a block reads no element of another
   block and each element before it writes it. *)

let sum_of combine a start first last =
  let acc = ref (Array.unsafe_get a (start + first)) in
  for i = start + first + 1 to start + last do
    acc := combine !acc (Array.unsafe_get a i)
  done;
  !acc

let inclusive ~who ~start ~length combine a r =
  let write before first last =
    let x = Array.unsafe_get a (start + first) in
    let acc = ref (match before with None -> x | Some before -> combine before x) in
    Array.unsafe_set r (start + first) !acc;
    for i = start + first + 1 to start + last do
      acc := combine !acc (Array.unsafe_get a i);
      Array.unsafe_set r i !acc
    done
  in
  Scan.run ~who ~length ~sum:(sum_of combine a start) ~write combine ~init:None

(* [at_end acc x] is told the last sum that is written and the last element. *)
let exclusive ~who ~start ~length combine init a r ~at_end =
  let write before first last =
    let acc = ref (Option.get before) in
    for i = start + first to start + last - 1 do
      let x = Array.unsafe_get a i in
      Array.unsafe_set r i !acc;
      acc := combine !acc x
    done;
    let x = Array.unsafe_get a (start + last) in
    Array.unsafe_set r (start + last) !acc;
    if last = length - 1 then at_end !acc x
  in
  Scan.run ~who ~length ~sum:(sum_of combine a start) ~write combine ~init:(Some init)

(* The same, and the sum of all. *)
let with_total ~who ~start ~length combine init a r =
  let total = ref init in
  exclusive ~who ~start ~length combine init a r ~at_end:(fun acc x -> total := combine acc x);
  !total

let scan combine a =
  let length = Array.length a in
  if length = 0 then [||]
  else begin
    let r = Results.to_write a.(0) length in
    inclusive ~who:"Weft.Array.scan" ~start:0 ~length combine a r;
    r
  end

let scan_exclusive combine init a =
  let length = Array.length a in
  if length = 0 then [||]
  else begin
    let r = Results.to_write init length in
    exclusive ~who:"Weft.Array.scan_exclusive" ~start:0 ~length combine init a r ~at_end:(fun _ _ -> ());
    r
  end

let scan_total combine init a =
  let length = Array.length a in
  if length = 0 then ([||], init)
  else begin
    let r = Results.to_write init length in
    let total = with_total ~who:"Weft.Array.scan_total" ~start:0 ~length combine init a r in
    (r, total)
  end

let scan_inplace ?pos ?len combine a =
  let who = "Weft.Array.scan_inplace" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  inclusive ~who ~start ~length:(finish - start + 1) combine a a

let scan_exclusive_inplace ?pos ?len combine init a =
  let who = "Weft.Array.scan_exclusive_inplace" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  with_total ~who ~start ~length:(finish - start + 1) combine init a a

let prefix_sums (a : int array) =
  let length = Array.length a in
  let r = Results.to_write 0 length in
  let sum first last =
    let sum = ref 0 in
    for i = first to last do
      sum := !sum + Array.unsafe_get a i
    done;
    !sum
  and write before first last =
    let sum = ref (Option.value before ~default:0) in
    for i = first to last do
      sum := !sum + Array.unsafe_get a i;
      Array.unsafe_set r i !sum
    done
  in
  Scan.run ~who:"Weft.Array.prefix_sums" ~length ~sum ~write ( + ) ~init:None;
  r
