(* $MDX part-begin=book *)
let longest_common_subsequence a b =
  let n = String.length a and m = String.length b in
  (* Diagonal [k] of the table: element [i] is the length for the first [i] of [a] and [k - i] of [b]. It needs
     the two diagonals before. *)
  let rec from k before last now =
    if k > n + m then last.(n)
    else begin
      Weft.parallel_for
        ~start:(Int.max 1 (k - m))
        ~finish:(Int.min n (k - 1))
        ~body:(fun i ->
          now.(i) <- (if a.[i - 1] = b.[k - i - 1] then before.(i - 1) + 1 else Int.max last.(i - 1) last.(i)))
        ();
      from (k + 1) last now before
    end
  in
  let zeros () = Weft.Array.make (n + 1) 0 in
  from 2 (zeros ()) (zeros ()) (zeros ())
(* $MDX part-end *)

(* {1 Sequential} *)

let sequential a b =
  let n = String.length a and m = String.length b in
  let rec from k before last now =
    if k > n + m then last.(n)
    else begin
      for i = Int.max 1 (k - m) to Int.min n (k - 1) do
        now.(i) <- (if a.[i - 1] = b.[k - i - 1] then before.(i - 1) + 1 else Int.max last.(i - 1) last.(i))
      done;
      from (k + 1) last now before
    end
  in
  let zeros () = Array.make (n + 1) 0 in
  from 2 (zeros ()) (zeros ()) (zeros ())

(* Row by row, in one array. *)
let best_sequential a b =
  let n = String.length a and m = String.length b in
  let row = Array.make (m + 1) 0 in
  for i = 1 to n do
    let c = a.[i - 1] and diagonal = ref 0 and left = ref 0 in
    for j = 1 to m do
      let up = row.(j) in
      left := if c = b.[j - 1] then !diagonal + 1 else if up > !left then up else !left;
      row.(j) <- !left;
      diagonal := up
    done
  done;
  row.(m)

(* {1 By hand} *)

let side = 500

(* Squares of the table, whose diagonals run in parallel; each knows the borders above and to the left. *)
let by_hand a b =
  let n = String.length a and m = String.length b in
  let rows = (n + side - 1) / side and columns = (m + side - 1) / side in
  let bottom = Array.make (m + 1) 0 and right = Array.make (n + 1) 0 in
  let corners = Array.make_matrix (rows + 1) (columns + 1) 0 in
  let square k row =
    let column = k - row in
    let last_row = Int.min n ((row + 1) * side) and last_column = Int.min m ((column + 1) * side) in
    let corner = ref corners.(row).(column) in
    for i = (row * side) + 1 to last_row do
      let c = a.[i - 1] and diagonal = ref !corner and left = ref right.(i) in
      corner := right.(i);
      for j = (column * side) + 1 to last_column do
        let up = bottom.(j) in
        left := if c = b.[j - 1] then !diagonal + 1 else if up > !left then up else !left;
        bottom.(j) <- !left;
        diagonal := up
      done;
      right.(i) <- !left
    done;
    corners.(row + 1).(column + 1) <- bottom.(last_column)
  in
  for k = 0 to rows + columns - 2 do
    Weft.parallel_for ~chunk_size:1
      ~start:(Int.max 0 (k - columns + 1))
      ~finish:(Int.min k (rows - 1))
      ~body:(square k) ()
  done;
  bottom.(m)

let text ~seed size =
  let letters = Inputs.integers ~seed ~bound:4 size in
  String.init size (fun i -> Char.chr (97 + letters.(i)))

let benchmark =
  let on_pair f (a, b) = f a b in
  Textbook.benchmark ~name:"common_subsequence"
    ~doc:"the length of the longest common subsequence of two texts, by diagonals"
    ~size_doc:"the number of bytes of each text" ~size:6_000 ~quick:1_000 ~sizes:(0, 1_000_000)
    ~input:(fun size -> (text ~seed:0 size, text ~seed:1 size))
    ~digest:Fun.id
    {
      best_sequential = on_pair best_sequential;
      sequential = on_pair sequential;
      book = on_pair longest_common_subsequence;
      by_hand = on_pair by_hand;
    }
