(* busy SECONDS CODE: keeps the workers busy for so long, counts on standard output, and ends with this exit code; 3 if it is
   interrupted. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let () =
  let seconds = float_of_string Sys.argv.(1) and code = int_of_string Sys.argv.(2) in
  Sys.catch_break true;
  let until = Unix.gettimeofday () +. seconds in
  match
    Weft.run ~domains:2 @@ fun () ->
    let count = ref 0 in
    while Unix.gettimeofday () < until do
      incr count;
      Printf.printf "line %d\n%!" !count;
      ignore (fib 22 : int);
      Weft.sleep 0.05
    done;
    prerr_endline "the end"
  with
  | () -> exit code
  | exception Sys.Break ->
      print_endline "interrupted";
      exit 3
