let case ?size = Array_functions.case ~group:"functions" ?size
let scattered = Array_functions.scattered
let integers size = Array.init size (scattered 30)

let pack (flags, a) =
  let r = Array.make (Array_functions.number_of_set flags) 0 and next = ref 0 in
  for i = 0 to Array.length flags - 1 do
    if flags.(i) then begin
      r.(!next) <- a.(i);
      incr next
    end
  done;
  r

let is_multiple i x = (x + i) land 3 = 0

let filteri a =
  let r = Array.make (Array.length a) 0 and count = ref 0 in
  for i = 0 to Array.length a - 1 do
    let x = a.(i) in
    if is_multiple i x then begin
      r.(!count) <- x;
      incr count
    end
  done;
  Array.sub r 0 !count

let rotate a =
  let n = Array.length a in
  let k = n / 3 in
  let r = Array.make n 0 in
  Array.blit a k r 0 (n - k);
  Array.blit a 0 r (n - k) k;
  r

let mismatch ((a : int array), b) =
  let n = Array.length a and i = ref 0 in
  while !i < n && a.(!i) = b.(!i) do
    incr i
  done;
  [| !i |]

let mismatch_ours (a, b) = [| Option.value (Weft.Array.mismatch Int.equal a b) ~default:(Array.length a) |]

let sums_and_total a =
  let n = Array.length a in
  let sums = Array.make n 0 and sum = ref 0 in
  for i = 0 to n - 1 do
    sums.(i) <- !sum;
    sum := !sum + a.(i)
  done;
  (sums, !sum)

let of_sums_and_total (sums, total) = Same_result.add (Same_result.ints sums) total
let large = 10_000_000

let benchmarks =
  [
    case "pack" "a quarter of the integers, by flags" ~size:large
      (fun size -> (Array.init size (fun i -> scattered 2 i = 0), integers size))
      pack
      (fun (flags, a) -> Weft.Array.pack flags a);
    case "filteri" "a quarter of the integers, by a function of integer and index" ~size:large integers
      filteri (Weft.Array.filteri is_multiple);
    case "rotate" "the last two thirds, and then the first one" ~size:large integers rotate (fun a ->
        Weft.Array.rotate (Array.length a / 3) a);
    case "mismatch" "where two equal arrays differ" ~size:large
      (fun size -> (integers size, integers size))
      mismatch mismatch_ours;
    Array_functions.compared ~digest:of_sums_and_total ~group:"functions" "scan_total"
      "exclusive prefix sums by a function, and the total" ~size:large
      (fun size -> Array.init size (scattered 10))
      sums_and_total (Weft.Array.scan_total ( + ) 0);
  ]
