(* busy FILE CODE: writes two lines, keeps the workers busy until FILE exists, and writes a third; then
   ends with this exit code. If it is interrupted, the code is 3. *)

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
    print_endline "line 1\nline 2";
    while not (Sys.file_exists over) do
      ignore (fib 24 : int);
      Weft.sleep 0.002
    done;
    print_endline "line 3";
    prerr_endline "the end"
  with
  | () -> exit code
  | exception Sys.Break ->
      print_endline "interrupted";
      exit 3
