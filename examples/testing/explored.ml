(* Explored in the test itself. It fails under the fourth schedule: both have looked before one has booked. *)
let last_seat () =
  let mutex = Weft.Mutex.create () and seats = ref 1 in
  let book () =
    let is_free = Weft.Mutex.protect mutex (fun () -> !seats > 0) in
    if is_free then begin
      Weft.Mutex.lock mutex;
      decr seats;
      Weft.Mutex.unlock mutex
    end
  in
  ignore (Weft.par book book : unit * unit);
  if !seats < 0 then failwith "a seat was sold twice"

(* From the report: shows the same failure again, while one looks for its cause. Once the function is changed,
   its points have other numbers: keep [check] in the test. *)
let once_failed = {|weft-schedule 1
0 3 -> 0.1
|}

(* Holds under ten thousand schedules: some tenths of a second. *)
let repaired () =
  let mutex = Weft.Mutex.create () and seats = ref 1 in
  let book () = Weft.Mutex.protect mutex (fun () -> if !seats > 0 then decr seats) in
  ignore (Weft.par book book : unit * unit);
  if !seats < 0 then failwith "a seat was sold twice"

let () =
  (match Weft_explore.check last_seat with
  | () -> print_endline "no schedule fails"
  | exception Weft_explore.Failed report -> print_string report);
  (match Weft_explore.replay once_failed last_seat with
  | () -> print_endline "it does not fail"
  | exception Weft_explore.Failed _ -> print_endline "it fails again");
  Weft_explore.check repaired;
  Printf.printf "all with two choices: %b\n" (Weft_explore.check_all ~choices:2 repaired)
