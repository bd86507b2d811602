type found = { work : int; span : int; burdened : int; profile : Weft.Profile.t }

(* Each domain has a clock, since nested pools work at the same time. *)
let time = Domain.DLS.new_key (fun () -> ref 1_000)

let spend n =
  let time = Domain.DLS.get time in
  time := !time + n

let units seconds = int_of_float (Float.round (seconds *. 1e9))

let profile ?burden ?grain f =
  let v, profile = Weft.Profile.Private.run_with ~now:(fun () -> !(Domain.DLS.get time)) ?burden ?grain f in
  let { Weft.Profile.work; span; burdened_span } = profile.total in
  (v, { work = units work; span = units span; burdened = units burdened_span; profile })

let check what ?burden ~work ~span ?burdened f =
  let _, found = profile ?burden f in
  Alcotest.(check int) (what ^ ": work") work found.work;
  Alcotest.(check int) (what ^ ": span") span found.span;
  Option.iter
    (fun burdened -> Alcotest.(check int) (what ^ ": burdened span") burdened found.burdened)
    burdened

let region found name =
  match List.find_opt (fun (r : Weft.Profile.region) -> r.name = name) found.profile.regions with
  | None -> Alcotest.failf "no region %S" name
  | Some r -> (r.calls, units r.figures.work, units r.figures.span, units r.on_path)

let test = Testing.Watchdog.case
