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

type outcome = Own of string | Other of int * string | Nothing

let outcome f =
  match f () with
  | _ -> Nothing
  | exception Weft_mpi.Elsewhere { rank; text; _ } -> Other (rank, text)
  | exception Weft.Cancel.Cancelled _ -> Own "cancelled"
  | exception ((Failure _ | Invalid_argument _ | Weft.Cancel.Timeout) as exn) -> Own (Printexc.to_string exn)

let agreed w what f =
  let all = Weft_mpi.gather w (outcome f) in
  let is_own = function Own _ -> true | Other _ | Nothing -> false in
  match List.filter is_own (Array.to_list all) with
  | [ Own text ] ->
      let origin = Option.get (Array.find_index is_own all) in
      let good i o =
        i = origin
        || match o with Other (r, t) -> r = origin && (text = "cancelled" || t = text) | _ -> false
      in
      same what (Array.mapi good all) (Array.map (fun _ -> true) all)
  | _ -> failwith (what ^ ": not on one rank alone")
