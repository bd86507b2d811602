(* The iterations that have not been tried yet: those from [next] to [finish], unless [all_tried]. *)
type t = {
  finish : int;
  largest : int; (* the greatest round *)
  mutable next : int;
  mutable all_tried : bool;
  mutable again : int array; (* those to be tried again, in order *)
  mutable wanted : int; (* the length of the next round *)
}

(* With a twentieth of the range in a round, few iterations are in each other's way. Short ranges are tried as
   a whole, since iterations may take long; rounds of long ones fit into memory. *)
let most_in_round = 1 lsl 20
let largest_round n = Int.max 1024 (Int.min most_in_round ((n / 20) + 1))

(* Capped: a range may have more than [max_int] indices. *)
let length ~start ~finish =
  if finish - start < 0 || finish - start = max_int then max_int else finish - start + 1

let make ?round ~start ~finish () =
  let largest =
    match round with Some n -> Int.min n most_in_round | None -> largest_round (length ~start ~finish)
  in
  let wanted = Int.max 1 (largest / 4) in
  { finish; largest; next = start; all_tried = false; again = [||]; wanted }

(* The iterations of the next round: [again], and new ones. *)
let begin_round t =
  let kept = Array.length t.again in
  let left = if t.all_tried then 0 else length ~start:t.next ~finish:t.finish in
  let fresh = Int.min left (Int.max 0 (t.wanted - kept)) and first = t.next in
  let last = first + (fresh - 1) in
  if fresh = left then t.all_tried <- true else t.next <- last + 1;
  let again = t.again in
  let iteration j = if j < kept then Array.unsafe_get again j else first + (j - kept) in
  (kept + fresh, iteration)

let yes = '\001'
let no = '\000'

(* The iterations for which [flags] says so, in order. *)
let those ~who flags iteration =
  let sieve = Sieve.make ~who (Bytes.length flags) in
  let counts = Array.make (Sieve.count sieve) 0 in
  Sieve.over sieve (fun k first last ->
      let n = ref 0 in
      for j = first to last do
        n := !n + Char.code (Bytes.unsafe_get flags j)
      done;
      counts.(k) <- !n);
  let r = Array.make (Sieve.add_up counts) 0 in
  Sieve.over sieve (fun k first last ->
      let at = ref counts.(k) in
      for j = first to last do
        if Bytes.unsafe_get flags j = yes then begin
          r.(!at) <- iteration j;
          incr at
        end
      done);
  r

(* Half as many if more than a fifth has failed, twice as many if less than a tenth has. *)
let adapt t ~tried ~failed =
  if 5 * failed > tried then t.wanted <- Int.max (t.wanted / 2) (Int.max failed ((t.largest / 64) + 1))
  else if 10 * failed < tried then t.wanted <- Int.min (2 * t.wanted) t.largest

let rec rounds ~who t ~reserve ~commit =
  let tried, iteration = begin_round t in
  if tried > 0 then begin
    let flags = Bytes.make tried no in
    let over f =
      Loop.blocks ~who ~start:0 ~finish:(tried - 1) (fun first last ->
          for j = first to last do
            f j
          done)
    in
    over (fun j -> if reserve (iteration j) then Bytes.unsafe_set flags j yes);
    over (fun j -> if Bytes.unsafe_get flags j = yes && commit (iteration j) then Bytes.unsafe_set flags j no);
    let again = those ~who flags iteration in
    let failed = Array.length again in
    if failed = tried then
      invalid_arg
        (Printf.sprintf "%s: none of %d iterations could commit, the first being %d" who tried again.(0));
    t.again <- again;
    adapt t ~tried ~failed;
    rounds ~who t ~reserve ~commit
  end

let run ~who ?round ~start ~finish ~reserve ~commit () =
  (match round with
  | Some n when n < 1 -> invalid_arg (Printf.sprintf "%s: round must be at least 1, not %d" who n)
  | _ -> ());
  if start <= finish then
    Current_worker.in_pool (fun () -> rounds ~who (make ?round ~start ~finish ()) ~reserve ~commit)
