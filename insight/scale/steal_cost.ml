let usual = 5_000
let samples = 400

(* A sample is one fork: the right side is stolen, because the left one waits until the right one has
   begun. *)
let once () =
  let begun = Atomic.make 0 in
  let forked = Weft_platform.Timer_thread.now () in
  let right () = Atomic.set begun (Weft_platform.Timer_thread.now ()) in
  let patience = forked + 2_000_000 in
  let rec left () =
    if Atomic.get begun = 0 && Weft_platform.Timer_thread.now () < patience then begin
      Domain.cpu_relax ();
      left ()
    end
  in
  let (), () = Weft.par left right in
  let took = Atomic.get begun - forked in
  (* Otherwise the right side was not stolen, but ran after the left one had given up waiting. *)
  if took < 2_000_000 then Some took else None

let median taken =
  let taken = List.sort Int.compare taken in
  List.nth taken (List.length taken / 2)

let measure () =
  if Weft_platform.Machine.default_domains () < 2 then usual
  else
    let taken =
      Weft.run ~domains:2 (fun () -> List.filter_map (fun _ -> once ()) (List.init samples Fun.id))
    in
    if List.length taken < samples / 4 then usual else max 200 (median taken)
