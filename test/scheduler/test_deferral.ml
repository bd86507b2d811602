(* Times are made up. *)

open Weft_scheduler

let put_off s ~top ~now = Deferral.is_put_off s ~top ~now
let is what wanted got = Alcotest.(check bool) what wanted got

(* Until it is taken; by looks that come one after the other, [every] ticks apart. *)
let rec taken_after ?(looked = 0) s ~top ~now ~every =
  if put_off s ~top ~now then taken_after s ~looked:(looked + 1) ~top ~now:(now + every) ~every else looked

let in_the_end () =
  List.iter
    (fun every ->
      let looks = taken_after (Deferral.make ()) ~top:5 ~now:1_000_000 ~every in
      is (Fmt.str "every %d ticks: put off at first" every) true (looks > 0);
      is (Fmt.str "every %d ticks: not for long" every) true ((looks - 1) * every < 100_000))
    [ 1; 100; 10_000; 20_000; max_int / 4 ]

let while_it_gets_on () =
  let s = Deferral.make () in
  for top = 0 to 1_000 do
    is "another one each time" true (put_off s ~top ~now:(top * 1_000_000))
  done

let only_the_one () =
  let s = Deferral.make () in
  ignore (taken_after s ~top:7 ~now:0 ~every:100 : int);
  is "the next one is put off" true (put_off s ~top:8 ~now:1_000_000);
  is "for as long" true (taken_after s ~top:8 ~now:1_000_000 ~every:100 > 10)

let clock_behind () =
  let s = Deferral.make () in
  is "put off" true (put_off s ~top:3 ~now:1_000_000);
  is "a clock that is behind puts nothing off" false (put_off s ~top:3 ~now:900_000)

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run "deferred jobs"
    [
      ( "deferral",
        [
          case "a job is taken in the end" in_the_end;
          case "jobs of a loop that gets on are put off" while_it_gets_on;
          case "a job that was taken does not count for the next" only_the_one;
          case "clocks differ" clock_behind;
        ] );
    ]
