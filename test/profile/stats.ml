(* Counters, and their format for Prometheus. *)

let check = Alcotest.(check int)
let total p = Weft.Stats.(total (pool p))

let exact_counts () =
  (* A fiber that is preempted is suspended once more. *)
  Testing.Watchdog.until_undisturbed "no fiber gives way by itself" @@ fun () ->
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let before = total p in
  Weft.Pool.run p (fun () ->
      ignore (Weft.all (List.init 11 (fun _ () -> ())));
      List.iter Weft.await (List.init 5 (fun _ -> Weft.async ignore));
      for _ = 1 to 7 do
        Weft.yield ()
      done);
  let after = total p in
  check "forks: ten of all, five tasks" 15 (after.forks - before.forks);
  check "nobody to steal from" 0 after.steals;
  match after.suspensions - before.suspensions with
  | 7 -> Ok ()
  | n when n > 7 -> Error (Printf.sprintf "%d suspensions" n)
  | n -> Alcotest.failf "only %d suspensions of seven yields" n

let injected () =
  Weft.Pool.with_pool ~domains:2 @@ fun p ->
  let before = (Weft.Stats.pool p).injected in
  List.iter Weft.await (List.init 9 (fun _ -> Weft.Pool.async p ignore));
  check "all that came from outside" 9 ((Weft.Stats.pool p).injected - before)

let steals () =
  Weft.Pool.with_pool ~domains:2 @@ fun p ->
  let stolen = Atomic.make false in
  Weft.Pool.run p (fun () ->
      let wait () =
        while not (Atomic.get stolen) do
          Domain.cpu_relax ()
        done
      in
      ignore (Weft.par wait (fun () -> Atomic.set stolen true)));
  let t = total p in
  Alcotest.(check bool) "a side that another worker ran was stolen" true (t.steals >= 1);
  Testing.Watchdog.until "a search was in vain" (fun () -> (total p).failed_steals > 0);
  Testing.Watchdog.until "somebody has retired" (fun () -> (total p).retired > 0);
  let worker = (Weft.Stats.pool p).workers.(1) in
  Alcotest.(check bool) "a fiber that retires has slept" true (worker.parks >= worker.retired)

let never_back () =
  Weft.Pool.with_pool ~domains:2 @@ fun p ->
  let rec fib n =
    if n < 2 then n
    else
      let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
      a + b
  in
  let work = Weft.Pool.async p (fun () -> fib 25) in
  let rec watch (last : Weft.Stats.worker) =
    let now = total p in
    Alcotest.(check bool)
      "no counter goes back" true
      (now.forks >= last.forks && now.jobs >= last.jobs
      && now.failed_steals >= last.failed_steals
      && now.suspensions >= last.suspensions);
    if not (Weft.Promise.is_settled work) then watch now
  in
  watch (total p)

(* --- the text --- *)

let name_chars = function 'a' .. 'z' | 'A' .. 'Z' | '_' | ':' | '0' .. '9' -> true | _ -> false
let is_name s = s <> "" && String.for_all name_chars s && not ('0' <= s.[0] && s.[0] <= '9')

(* The name, labels and value of a sample, exactly by the format. *)
let sample line =
  let fail what = Alcotest.failf "%s in %S" what line in
  let at = ref 0 in
  let peek () = if !at < String.length line then line.[!at] else fail "an early end" in
  let skip c = if peek () = c then incr at else fail (Printf.sprintf "no %C" c) in
  let word () =
    let from = !at in
    while name_chars (peek ()) do
      incr at
    done;
    let w = String.sub line from (!at - from) in
    if is_name w then w else fail "no name"
  in
  let quoted () =
    skip '"';
    let b = Buffer.create 16 in
    while peek () <> '"' do
      (match peek () with
      | '\\' -> (
          incr at;
          match peek () with
          | 'n' -> Buffer.add_char b '\n'
          | ('\\' | '"') as c -> Buffer.add_char b c
          | _ -> fail "an unknown escape")
      | c -> Buffer.add_char b c);
      incr at
    done;
    skip '"';
    Buffer.contents b
  in
  let name = word () in
  let rec labels found =
    let key = word () in
    skip '=';
    let found = (key, quoted ()) :: found in
    if peek () = ',' then begin
      incr at;
      labels found
    end
    else List.rev found
  in
  skip '{';
  let labels = labels [] in
  skip '}';
  skip ' ';
  (name, labels, int_of_string (String.sub line !at (String.length line - !at)))

(* All samples; each metric is in one group, after its HELP and TYPE. *)
let parse text =
  Alcotest.(check bool) "the last line ends" true (String.ends_with ~suffix:"\n" text);
  let lines = String.split_on_char '\n' text in
  let lines = List.filteri (fun i _ -> i < List.length lines - 1) lines in
  let seen = Hashtbl.create 16 in
  let rec groups found current = function
    | [] -> List.rev found
    | help :: kind :: rest when String.starts_with ~prefix:"# HELP " help ->
        let name = List.nth (String.split_on_char ' ' help) 2 in
        Alcotest.(check bool) (name ^ " comes once") false (Hashtbl.mem seen name);
        Hashtbl.add seen name ();
        (match String.split_on_char ' ' kind with
        | [ "#"; "TYPE"; n; "counter" ] ->
            Alcotest.(check string) "the type of it" name n;
            Alcotest.(check bool) (name ^ ": counters are totals") true (String.ends_with ~suffix:"_total" n)
        | [ "#"; "TYPE"; n; "gauge" ] -> Alcotest.(check string) "the type of it" name n
        | _ -> Alcotest.failf "no type: %S" kind);
        groups found name rest
    | line :: rest ->
        let ((name, _, _) as s) = sample line in
        Alcotest.(check string) "a sample of its group" current name;
        groups (s :: found) current rest
  in
  groups [] "" lines

let value samples name labels =
  match List.find_opt (fun (n, l, _) -> n = name && l = labels) samples with
  | Some (_, _, v) -> v
  | None -> Alcotest.failf "no sample of %s" name

let prometheus () =
  let name = "a \"b\" \\c\nd \xc3\xa9" in
  Weft.Pool.with_pool ~name ~domains:2 @@ fun p ->
  Weft.Pool.run p (fun () -> ignore (Weft.all (List.init 4 (fun _ () -> ()))));
  let stats = Weft.Stats.pool p in
  let samples = parse (Weft.Stats.to_prometheus ~pools:[ stats ] ()) in
  let worker i metric = value samples metric [ ("pool", name); ("worker", string_of_int i) ] in
  check "forks of worker 0" stats.workers.(0).forks (worker 0 "weft_forks_total");
  check "parks of worker 1" stats.workers.(1).parks (worker 1 "weft_parks_total");
  List.iter
    (fun metric -> ignore (worker 1 ("weft_" ^ metric ^ "_total")))
    [ "jobs"; "steals"; "failed_steals"; "searches"; "wakes"; "suspensions"; "retired"; "returns" ];
  check "injected" stats.injected (value samples "weft_injected_total" [ ("pool", name) ]);
  check "domains" 2 (value samples "weft_pool_domains" [ ("pool", name) ]);
  Alcotest.(check bool)
    "open pools are listed" true
    (List.exists (fun (_, l, _) -> List.mem ("pool", name) l) (parse (Weft.Stats.to_prometheus ())))

let bad_names () =
  Weft.Pool.with_pool ~name:"x\xffy" ~domains:1 @@ fun p ->
  let text = Weft.Stats.(to_prometheus ~pools:[ pool p ] ()) in
  Alcotest.(check bool) "the text is UTF-8" true (String.is_valid_utf_8 text);
  ignore (parse text)

let closed () =
  let p = Weft.Pool.create ~name:"closed soon" ~domains:1 () in
  Weft.Pool.run p (fun () -> ignore (Weft.par ignore ignore));
  Weft.Pool.close p;
  Alcotest.(check bool)
    "not listed" false
    (List.exists (fun (s : Weft.Stats.pool) -> s.name = "closed soon") (Weft.Stats.all ()));
  check "its counters stay" 1 (total p).forks

let test = Clocked.test

let tests =
  [
    test "forks and suspensions are counted exactly" exact_counts;
    test "what comes from outside is counted" injected;
    test "steals, searches in vain and retirements are counted" steals;
    test "counters never go back" never_back;
    test "Prometheus: the format, and the figures" prometheus;
    test "Prometheus: names that are no UTF-8" bad_names;
    test "closed pools are not listed, but keep their counters" closed;
  ]
