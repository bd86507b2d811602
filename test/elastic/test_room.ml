open Weft_bench_elastic
module Pool = Weft.Pool

let case = Testing.Watchdog.case
let write path text = Out_channel.with_open_gen [ Open_wronly ] 0 path (fun c -> output_string c text)

(* Hundredths of a processor. *)
let limit group percent =
  if Sys.file_exists (group ^ "/cpu.max") then
    write (group ^ "/cpu.max") (Printf.sprintf "%d 100000" (percent * 1000))
  else begin
    write (group ^ "/cpu.cfs_quota_us") "-1";
    write (group ^ "/cpu.cfs_period_us") "100000";
    write (group ^ "/cpu.cfs_quota_us") (string_of_int (percent * 1000))
  end

let fail fmt =
  Printf.ksprintf
    (fun what ->
      prerr_endline what;
      exit 1)
    fmt

(* The room that a pool has from the start. *)
let room () = Pool.with_pool ~domains:2 Pool.room

(* Forks until the pool has the wanted room: the pool reads the limit only while it works. *)
let room_becomes pool wanted what =
  let rec fork n = if n > 0 then ignore (Weft.par (fun () -> fork (n - 1)) (fun () -> fork (n - 1))) in
  Testing.Watchdog.guard what @@ fun () ->
  Testing.Watchdog.during (fun () -> Printf.sprintf "a room of %d" (Pool.room pool)) @@ fun () ->
  Pool.run pool @@ fun () ->
  while Pool.room pool <> wanted do
    fork 12
  done

let read_again group =
  if room () <> 1 then fail "at most one processor: a room of %d" (room ());
  Pool.with_pool ~domains:2 @@ fun pool ->
  limit group 250;
  room_becomes pool 2 "a pool at work, the quota raised";
  limit group 80;
  room_becomes pool 1 "a pool at work, the quota lowered"

let stays group =
  let two what = if room () <> 2 then fail "%s: a room of %d" what (room ()) in
  two "at first";
  limit group 60;
  (* Without the given size it would have read the limit again by now. *)
  Unix.sleepf 1.2;
  two "later"

let subject ~group ~is_size_given =
  (match Cpu_group.join group with () -> () | exception Sys_error _ -> exit 77);
  if is_size_given then stays group else read_again group;
  exit 0

let in_group ~domains () =
  let machine = Weft_platform.Machine.(if domains = "" then processors_now () else allowed_processors ()) in
  if machine.count < 2 then Alcotest.skip ();
  let run group =
    let ended =
      Testing.Child.run
        ~env:[ ("WEFT_DOMAINS", domains) ]
        ~without:(( = ) "WEFT_PROCESSORS") Sys.executable_name [ "room"; group; domains ]
    in
    prerr_string ended.err;
    ended.code
  in
  match Cpu_group.with_quota ~processors:0.8 run with
  | Error _ | Ok 77 -> Alcotest.skip ()
  | Ok code -> Alcotest.(check int) "the room is as it should be" 0 code

let tests =
  [
    case "a quota limits a pool's room, and is read again" (in_group ~domains:"");
    case "where WEFT_DOMAINS is set it does not" (in_group ~domains:"2");
  ]
