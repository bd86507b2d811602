module Worker_local = Weft.Local.Worker_local
module Task_local = Weft.Local.Task_local

(* One buffer for each worker, whatever number of tasks there is. Nothing between [get] and the last use of the buffer
   suspends, so no other task sees it meanwhile. *)
let buffers = Worker_local.create (fun () -> Buffer.create 64)

(* One value for a call and all that it starts. *)
let base = Task_local.create ~default:10

let digits n =
  let buffer = Worker_local.get buffers and base = Task_local.get base in
  Buffer.clear buffer;
  let rec add n =
    if n >= base then add (n / base);
    Buffer.add_char buffer "0123456789abcdef".[n mod base]
  in
  add n;
  Buffer.contents buffer

let () =
  let show () = print_endline (String.concat " " (Weft.List.map digits [ 10; 100; 1000 ])) in
  show ();
  Task_local.with_value base 16 show
