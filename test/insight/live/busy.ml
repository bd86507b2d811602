(* busy FILE CODE: keeps the workers busy and counts on standard output, until FILE is there and it has counted to three; then ends
   with this exit code. If it is interrupted, the code is 3. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let () =
  let over = Sys.argv.(1) and code = int_of_string Sys.argv.(2) in
  Sys.catch_break true;
  match
    Weft.run ~domains:2 @@ fun () ->
    let count = ref 0 in
    while !count < 3 || not (Sys.file_exists over) do
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
