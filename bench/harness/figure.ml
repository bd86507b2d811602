type t = { title : string; value : float }

let counted ~what n rates =
  { title = what ^ "s"; value = float_of_int n } :: (if n > 0 then [ rates (float_of_int n) ] else [])

let operations ~what ~seconds n =
  counted ~what n (fun n -> { title = "ns/" ^ what; value = seconds *. 1e9 /. n })

let per_second ~what ~seconds n = counted ~what n (fun n -> { title = what ^ "s/s"; value = n /. seconds })

let sorted xs =
  let sorted = Array.copy xs in
  Array.sort Float.compare sorted;
  sorted

let quantile_of_sorted q sorted =
  let n = Array.length sorted in
  let rank = int_of_float (Float.ceil (q *. float_of_int n)) in
  sorted.(max 0 (min (n - 1) (rank - 1)))

let quantile q xs =
  if Array.length xs = 0 then invalid_arg "Figure.quantile: no numbers";
  quantile_of_sorted q (sorted xs)

(* {1 Histograms} *)

type bucket = { what : string; from : float; below : float; unit_ : string }

let bucket { what; from; below; unit_ } n =
  { title = Printf.sprintf "%s [%.12g, %.12g) %s" what from below unit_; value = float_of_int n }

(* [between text first last] is the part after index [first] and before [last]. *)
let between text first last = String.sub text (first + 1) (last - first - 1)

(* A logarithmic axis needs room beyond it. *)
let greatest_bound = 1e30

let bucket_of_title title =
  match (String.index_opt title '[', String.rindex_opt title ')') with
  | Some opening, Some closing when 1 < opening && opening < closing && closing + 2 < String.length title -> (
      match List.map String.trim (String.split_on_char ',' (between title opening closing)) with
      | [ from; below ] -> (
          match (float_of_string_opt from, float_of_string_opt below) with
          | Some from, Some below when from >= 0. && from < below && below <= greatest_bound ->
              let unit_ = between title (closing + 1) (String.length title) in
              Some { what = String.sub title 0 (opening - 1); from; below; unit_ }
          | _ -> None)
      | _ -> None)
  | _ -> None

(* The least values of buckets of delays, in microseconds: six in each power of ten. *)
let steps = [| 1.; 1.5; 2.; 3.; 5.; 7. |]
let first_decade = -1

(* The bounds of the bucket of [x]. What is too small for all others has a bucket from 0. *)
let bounds x =
  let at i =
    let n = Array.length steps in
    steps.(i mod n) *. (10. ** float_of_int (first_decade + (i / n)))
  in
  let rec from i = if x < at i then (at (i - 1), at i) else from (i + 1) in
  if x < at 0 then (0., at 0) else from 1

let histogram ~what seconds =
  let counts = Hashtbl.create 32 in
  let count x =
    let bounds = bounds (x *. 1e6) in
    Hashtbl.replace counts bounds (1 + Option.value (Hashtbl.find_opt counts bounds) ~default:0)
  in
  Array.iter (fun x -> if Float.is_finite x then count x) seconds;
  let all = List.sort compare (List.of_seq (Hashtbl.to_seq counts)) in
  List.map (fun ((from, below), n) -> bucket { what; from; below; unit_ = "us" } n) all

(* {1 Distributions} *)

let distribution ?(tail = false) ~what seconds =
  if Array.length seconds = 0 then []
  else
    let sorted = sorted seconds in
    let at (name, q) =
      { title = Printf.sprintf "%s %s us" what name; value = quantile_of_sorted q sorted *. 1e6 }
    in
    let far = if tail then [ ("p99.9", 0.999) ] else [] in
    List.map at ([ ("median", 0.5); ("p99", 0.99) ] @ far @ [ ("max", 1.) ]) @ histogram ~what seconds

(* {1 Shares} *)

let most_by_least = "max/min"

let shares ~what ~seconds counts =
  if Array.length counts = 0 then []
  else
    let most = Array.fold_left max 0 counts and least = Array.fold_left min max_int counts in
    [
      { title = what ^ "s/s"; value = float_of_int (Array.fold_left ( + ) 0 counts) /. seconds };
      { title = most_by_least; value = float_of_int (max 1 most) /. float_of_int (max 1 least) };
    ]

let lower_is_better title =
  if Option.is_some (bucket_of_title title) then None
  else if
    title = most_by_least || String.starts_with ~prefix:"ns/" title || String.ends_with ~suffix:" us" title
  then Some true
  else if String.ends_with ~suffix:"/s" title then Some false
  else None
