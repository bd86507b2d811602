(* In bytecode each store passes the write barrier. So the arrays of raw integers must not begin with what was in
   their memory before: while the collector marks, it would follow that. *)

open Weft_platform

let garbage = ref []

let () =
  Testing.Watchdog.guard "bytecode" @@ fun () ->
  for round = 1 to 300 do
    garbage := List.init 3000 string_of_int :: (if round land 7 = 0 then [] else !garbage);
    let ints = Array_repr.make_immediates 5000 and atomic = Atomic_words.make 5000 in
    for i = 0 to 4999 do
      ints.(i) <- i;
      Atomic_words.set_first atomic i i
    done;
    ignore (Gc.major_slice 500 : int);
    if ints.(4999) <> 4999 || Atomic_words.get atomic 4999 <> 4999 then failwith "other elements"
  done;
  print_endline "bytecode: arrays of raw integers are written"
