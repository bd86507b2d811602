(* How a reduction is nested depends on the range alone, so rounding does too. *)
let sum () = Weft.Seq.(of_range 1 100_000 |> map (fun i -> sin (float i)) |> float_sum)

let () =
  let bits domains = Int64.bits_of_float (Weft.run ~domains sum) in
  Printf.printf "the same bits on 1, 2 and 3 domains: %b\n" (bits 1 = bits 2 && bits 2 = bits 3)
