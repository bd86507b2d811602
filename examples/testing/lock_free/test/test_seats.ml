let never_sold_twice take () =
  let seats = Seats.make 2 in
  let buy () = ignore (take seats : bool) in
  ignore (Weft.par buy (fun () -> Weft.par buy buy) : unit * (unit * unit));
  if Seats.sold seats > 2 then failwith "a seat was sold twice"

let () =
  Weft_explore.check (never_sold_twice Seats.careful);
  match Weft_explore.check (never_sold_twice Seats.hasty) with
  | () -> print_endline "no schedule fails"
  | exception Weft_explore.Failed report -> print_string report
