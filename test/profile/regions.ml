(* Regions: what counts for which region, and which one is the limit. *)

open Clocked

let region = Weft.Profile.region
let four = Alcotest.(pair (pair int int) (pair int int))
let figures (a, b, c, d) = ((a, b), (c, d))

let check_region found name expected =
  Alcotest.check four
    (name ^ ": calls, work, span, on the path")
    (figures expected)
    (figures (Clocked.region found name))

let two_in_a_row () =
  let (), found =
    profile (fun () ->
        spend 1;
        region "a" (fun () -> ignore (Weft.par (fun () -> spend 10) (fun () -> spend 10)));
        region "b" (fun () -> spend 20))
  in
  check_region found "a" (1, 20, 10, 10);
  check_region found "b" (1, 20, 20, 20);
  Alcotest.(check (option string))
    "what limits" (Some "b")
    (Option.map (fun (r : Weft.Profile.region) -> r.name) (Weft.Profile.limit found.profile))

let nested () =
  let (), found =
    profile (fun () ->
        region "outer" (fun () ->
            spend 3;
            region "inner" (fun () -> spend 4);
            region "inner" (fun () -> spend 5)))
  in
  check_region found "outer" (1, 12, 12, 3);
  check_region found "inner" (2, 9, 9, 9)

let recursive () =
  let rec go n =
    region "go" (fun () ->
        spend 1;
        if n > 0 then ignore (Weft.par (fun () -> go (n - 1)) (fun () -> go (n - 1))))
  in
  let (), found = profile (fun () -> go 3) in
  check_region found "go" (1, 15, 4, 4)

let in_parallel () =
  let (), found =
    profile (fun () ->
        ignore
          (Weft.par
             (fun () -> region "short" (fun () -> spend 10))
             (fun () -> region "long" (fun () -> spend 30))))
  in
  check_region found "short" (1, 10, 10, 0);
  check_region found "long" (1, 30, 30, 30)

let entered_by_many () =
  let (), found =
    profile (fun () -> ignore (Weft.all (List.init 8 (fun i () -> region "part" (fun () -> spend (i + 1))))))
  in
  check_region found "part" (8, 36, 36, 8)

let left_by_exception () =
  let (), found =
    profile (fun () ->
        (try
           region "fails" (fun () ->
               spend 7;
               raise Exit)
         with Exit -> ());
        spend 2)
  in
  check_region found "fails" (1, 7, 7, 7);
  Alcotest.(check int) "outside" 9 found.work

let across_awaits () =
  let (), found =
    profile (fun () ->
        let p = Weft.async (fun () -> region "task" (fun () -> spend 50)) in
        region "waits" (fun () ->
            spend 1;
            Weft.await p;
            spend 2))
  in
  check_region found "task" (1, 50, 50, 50);
  (* The region's span is the time between its beginning and its end. *)
  check_region found "waits" (1, 3, 52, 2)

let nothing_elsewhere () =
  Alcotest.(check int) "a region where nothing is profiled" 5 (region "x" (fun () -> 5));
  Alcotest.(check int) "in a pool that is not" 6 (Weft.run (fun () -> region "x" (fun () -> 6)))

let tests =
  [
    test "regions in a row, and which limits" two_in_a_row;
    test "regions inside others" nested;
    test "a region inside itself is one" recursive;
    test "what is not on the longest path limits nothing" in_parallel;
    test "a region that many enter" entered_by_many;
    test "a region left by an exception" left_by_exception;
    test "a region that awaits what others do" across_awaits;
    test "regions cost nothing where nothing is profiled" nothing_elsewhere;
  ]
