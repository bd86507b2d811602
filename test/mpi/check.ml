open Bigarray

let same what a b = if compare a b <> 0 then failwith (what ^ ": not the same")

let raises what expected f =
  match f () with
  | _ -> failwith (what ^ ": nothing is raised")
  | exception exn -> if not (expected exn) then failwith (what ^ ": raises " ^ Printexc.to_string exn)

let is_misuse = function Invalid_argument _ -> true | _ -> false
let say w = Printf.ksprintf (fun line -> if Weft_mpi.rank w = 0 then Printf.printf "%s\n%!" line)
let floats n f = Array1.init float64 c_layout n f
let ints n f = Array1.init int c_layout n f
let list a = List.init (Array1.dim a) (fun i -> a.{i})

let rec until_none_pending () =
  if Weft_mpi.Mpi.Private.pending () > 0 then begin
    Weft.sleep 0.001;
    until_none_pending ()
  end
