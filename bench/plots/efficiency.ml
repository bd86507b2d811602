open Weft_bench_harness

let sprintf = Printf.sprintf

(* A logarithmic axis needs room beyond it. *)
let longest = 1e30

(* The nanoseconds of a title such as ["% 10ns"], ["% 2.5us"], ["% 1ms"]. *)
let nanoseconds title =
  let unit_ = function "ns" -> Some 1. | "us" -> Some 1e3 | "ms" -> Some 1e6 | _ -> None in
  let of_unit x name =
    Option.bind (unit_ name) (fun factor ->
        let ns = x *. factor in
        if ns > 0. && ns <= longest then Some ns else None)
  in
  Option.join (Scanf.sscanf_opt title "%% %f%s%!" of_unit)

(* Up to ten percent above 100 are noise. *)
let greatest = 110.

let figures (row : Row.t) =
  let figure (f : Row.figure) = Option.map (fun ns -> (ns, f)) (nanoseconds f.title) in
  List.sort (fun (a, _) (b, _) -> Float.compare a b) (List.filter_map figure row.figures)

let medians row = List.map (fun (ns, (f : Row.figure)) -> (ns, f.middle)) (figures row)

let points row =
  List.map
    (fun (ns, (f : Row.figure)) -> { Chart.at = Float.log10 ns; value = Chart.range_of f.values })
    (figures row)

let doubts rows =
  let is_wrong (row : Row.t) = List.exists (fun (_, percent) -> percent > greatest) (medians row) in
  match List.filter is_wrong rows with
  | [] -> ""
  | wrong ->
      let name (row : Row.t) = sprintf "%s on %d" row.method_ row.domains in
      sprintf " More than %g %%: the work by itself was measured wrong, as other programs may cause it (%s)."
        greatest
        (String.concat ", " (List.map name wrong))

let of_case (run : Run.t) rows =
  let curve (row : Row.t) =
    match points row with
    | [] | [ _ ] -> None
    | points ->
        Some
          ( row,
            {
              Chart.name =
                sprintf "%s, %d domain%s" row.method_ row.domains (if row.domains = 1 then "" else "s");
              colour = 0;
              points;
            } )
  in
  match List.filter_map curve rows with
  | [] -> []
  | (first, _) :: _ as curves ->
      let places =
        List.concat_map
          (fun (_, (c : Chart.series)) -> List.map (fun (p : Chart.point) -> p.at) c.points)
          curves
      in
      let from = List.fold_left Float.min Float.infinity places
      and upto = List.fold_left Float.max Float.neg_infinity places in
      let tick (x, _) = (Float.log10 x, Text.seconds (x *. 1e-9)) in
      let case = Run.case first in
      [
        {
          Chart.name = case ^ ", efficiency by size of task";
          bench = first.bench;
          title = case ^ ": efficiency by size of task";
          caption =
            "What part of all domains' time is the work of the tasks, a tree of equal ones. The size at \
             which it is half is the METG(50 %)."
            ^ doubts (List.map fst curves);
          command = Command.of_rows ~runs:(Run.runs run) (List.map fst curves);
          body =
            Curves
              {
                x =
                  {
                    title = "work of a task";
                    ticks =
                      List.map tick
                        (Ticks.make Logarithmic ~least:(10. ** from) ~greatest:(10. ** upto)).ticks;
                  };
                y = "% of the time";
                series = List.mapi (fun i (_, (c : Chart.series)) -> { c with colour = i }) curves;
                references = [ { label = "half"; style = `Ideal; through = [ (from, 50.); (upto, 50.) ] } ];
                limit = None;
              };
        };
      ]

let by_task_size (run : Run.t) = List.concat_map (of_case run) (Run.groups Run.same_case run.rows)
