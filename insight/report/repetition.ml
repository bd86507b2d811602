open Finding

type said = { finding : Finding.t; about : string; moments : Intervals.t }

let same_cause a b =
  let of_blocks d = d.finding.kind = Long_block || d.finding.kind = Large_chunk in
  (a.finding.kind = b.finding.kind || (of_blocks a && of_blocks b)) && String.equal a.about b.about

let length said = Intervals.length said.moments

(* Whether at least half of it lies in [moments]. *)
let covered moments said = 2 * Intervals.length (Intervals.inter said.moments moments) >= length said
let most_regions said = if said.about = "" then 3 else 1

let places regions =
  let choose (chosen, moments) said =
    if List.length chosen >= most_regions said || (chosen <> [] && covered moments said) then (chosen, moments)
    else (said :: chosen, Intervals.union moments said.moments)
  in
  let longest_first = List.stable_sort (fun a b -> Int.compare (length b) (length a)) regions in
  List.fold_left choose ([], Intervals.empty) longest_first

let of_cause all =
  let whole, regions = List.partition (fun said -> said.finding.region = None) all in
  let chosen, moments = places regions in
  match whole with said :: _ when not (covered moments said) -> [ said ] | _ -> List.rev chosen

let rec of_causes = function
  | [] -> []
  | said :: _ as all ->
      let alike, others = List.partition (same_cause said) all in
      of_cause alike @ of_causes others

let without all = List.map (fun said -> said.finding) (of_causes all)
