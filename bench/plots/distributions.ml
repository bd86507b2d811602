open Weft_bench_harness

let sprintf = Printf.sprintf

type counted = { row : Row.t; what : string; unit_ : string; cells : (float * float * float) list }

(* The histograms of [row]: what each counts, and its non-empty buckets, ascending. *)
let counted (row : Row.t) =
  let bucket (f : Row.figure) =
    Option.map
      (fun (b : Figure.bucket) -> (b, List.fold_left ( +. ) 0. f.values))
      (Figure.bucket_of_title f.title)
  in
  let buckets = List.filter (fun (_, n) -> n > 0.) (List.filter_map bucket row.figures) in
  let same ((a : Figure.bucket), _) ((b : Figure.bucket), _) =
    String.equal a.what b.what && String.equal a.unit_ b.unit_
  in
  let together = function
    | [] -> []
    | (({ what; unit_; _ } : Figure.bucket), _) :: _ as all ->
        let cells = List.map (fun ((b : Figure.bucket), n) -> (b.from, b.below, n)) all in
        [ { row; what; unit_; cells = List.sort compare cells } ]
  in
  List.concat_map together (Run.groups same buckets)

(* Replaces a bound of 0, whose logarithm is infinite, by half of the other bound. *)
let place ~below x = Float.log10 (if x > 0. then x else below /. 2.)

(* The outlines get colours of their own: with the method's colour, outlines for different numbers of
   domains would look the same. *)
let steps i { row; cells; _ } =
  let all = List.fold_left (fun sum (_, _, n) -> sum +. n) 0. cells in
  let cell (from, below, n) =
    { Chart.from = place ~below from; below = Float.log10 below; share = 100. *. n /. all }
  in
  {
    Chart.name = sprintf "%s, %d domain%s" row.method_ row.domains (if row.domains = 1 then "" else "s");
    colour = i;
    cells = List.map cell cells;
  }

let is_power_of_2 x = Float.is_integer (Float.log2 x)

let ticks all =
  let bounds =
    List.concat_map (fun { cells; _ } -> List.concat_map (fun (from, below, _) -> [ from; below ]) cells) all
  in
  let bounds = List.sort_uniq Float.compare (List.filter (fun x -> x > 0.) bounds) in
  let least = List.hd bounds and greatest = List.nth bounds (List.length bounds - 1) in
  let chosen =
    if List.for_all is_power_of_2 bounds && greatest /. least <= 4096. then
      let every = if greatest /. least > 256. then 2. else 1. in
      let rec from x = if x > greatest then [] else (x, Text.float x) :: from (x *. (2. ** every)) in
      from least
    else (Ticks.make Logarithmic ~least ~greatest).ticks
  in
  List.map (fun (x, label) -> (Float.log10 x, label)) chosen

let chart (run : Run.t) all =
  match all with
  | [] -> []
  | { row; what; unit_; _ } :: _ ->
      let case = Run.case row in
      let of_batches = String.equal unit_ "operations" in
      let title = if of_batches then sprintf "%s: sizes of batches" case else sprintf "%s: %s" case what in
      [
        {
          Chart.name = sprintf "%s, distribution of %s" case what;
          bench = row.bench;
          title;
          caption =
            (if of_batches then
               "What part of the batches had so many operations, all runs together. Operations applied in \
                place are in no batch."
             else
               sprintf
                 "What part fell into each bucket, all runs together, over a logarithmic axis (%d run%s)."
                 (Run.runs run)
                 (if Run.runs run = 1 then "" else "s"));
          command = Command.of_rows ~runs:(Run.runs run) (List.map (fun c -> c.row) all);
          body =
            Histogram
              {
                x =
                  {
                    title = (if of_batches then "operations in a batch" else sprintf "%s (%s)" what unit_);
                    ticks = ticks all;
                  };
                y = (if of_batches then "% of batches" else "% of all");
                steps = List.mapi steps all;
              };
        };
      ]

let all (run : Run.t) =
  let same a b = Run.same_case a.row b.row && String.equal a.what b.what && String.equal a.unit_ b.unit_ in
  List.concat_map (chart run) (Run.groups same (List.concat_map counted run.rows))
