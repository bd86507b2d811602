open Weft_shadow

let groups =
  [
    Weft_real.Deque_scenarios.all;
    Weft_real.Join_scenarios.all;
    Weft_real.Promise_scenarios.all;
    Weft_real.Local_scenarios.all;
    Weft_real.Lock_scenarios.all;
    Weft_real.Sleep_scenarios.all;
    Weft_real.Timer_scenarios.all;
    Weft_real.Course_scenarios.all;
  ]

let mutants =
  [
    Weft_mutants.Deque_scenarios.all;
    Weft_mutants.Join_scenarios.all;
    Weft_mutants.Promise_scenarios.all;
    Weft_mutants.Local_scenarios.all;
    Weft_mutants.Lock_scenarios.all;
    Weft_mutants.Sleep_scenarios.all;
    Weft_mutants.Timer_scenarios.all;
    Weft_mutants.Course_scenarios.all;
  ]

let contains part s =
  let n = String.length part in
  let rec at i = i + n <= String.length s && (String.sub s i n = part || at (i + 1)) in
  at 0

let () =
  let pat = Sys.argv.(2) in
  let long = Array.length Sys.argv > 3 in
  match Sys.argv.(1) with
  | "real" ->
      List.iter
        (List.iter (fun (s : Scenario.t) ->
             if contains pat s.name && (long || not s.long) then begin
               let t = Sys.time () in
               match Explore.all s.set_up with
               | Holds r ->
                   Printf.printf "%-60s %7d runs %5d disc %6.2f s\n" s.name r.runs r.discarded
                     (Sys.time () -. t);
                   List.iter
                     (fun (o, n) -> if not (List.mem o s.outcomes) then Printf.printf "   NEW  %7d %S;\n" n o)
                     r.outcomes;
                   List.iter
                     (fun o ->
                       if not (List.mem_assoc o r.outcomes) then Printf.printf "   GONE         %S;\n" o)
                     s.outcomes;
                   flush stdout
               | Broken { why; schedule; runs } ->
                   Printf.printf "%-60s BROKEN after %d runs, %.2f s: %s\n%s\n%!" s.name runs
                     (Sys.time () -. t)
                     why (String.concat "\n" schedule)
             end))
        groups
  | "mut" ->
      List.iter
        (fun (m : Weft_edits.Edits.mutant) ->
          if contains pat m.name then
            List.iter
              (fun name ->
                match List.find_opt (fun (s : Scenario.t) -> s.name = name) (List.concat mutants) with
                | None -> Printf.printf "NO SCENARIO %S\n%!" name
                | Some s ->
                    Mutation.plant m.name;
                    let t = Sys.time () in
                    (match Explore.all s.set_up with
                    | Broken { why; runs; schedule } ->
                        Printf.printf "%-55s caught %7d %6.2f s: %s (%s)\n%!" m.name runs
                          (Sys.time () -. t)
                          why name;
                        if long then print_endline (String.concat "\n" schedule)
                    | Holds r ->
                        Printf.printf "%-55s NOT CAUGHT %d %.2f s (%s)\n%!" m.name r.runs
                          (Sys.time () -. t)
                          name);
                    Mutation.plant "")
              m.caught_by)
        Weft_edits.Edits.mutants
  | _ -> assert false
