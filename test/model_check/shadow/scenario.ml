type t = { name : string; long : bool; outcomes : string list; set_up : unit -> unit -> string }

let ( let* ) = Result.bind

let explore ?by s =
  match Explore.all ?by s.set_up with
  | Holds report -> Ok report
  | Broken { why; schedule; runs } ->
      Error (String.concat "\n" (Printf.sprintf "%s, in run %d:" why runs :: schedule))

(* An error if there are any. *)
let none what = function
  | [] -> Ok ()
  | some -> Error (String.concat "\n" (List.map (Printf.sprintf "%s: %s" what) some))

let check ~against s =
  let* report = explore s in
  let seen = List.map fst report.outcomes in
  let* () = none "an outcome that no run had" (List.filter (fun o -> not (List.mem o seen)) s.outcomes) in
  let* () =
    none "an outcome that the scenario does not know"
      (List.filter (fun o -> not (List.mem o s.outcomes)) seen)
  in
  let* other = explore ~by:against s in
  if Seq.exists (fun trace -> not (Hashtbl.mem report.traces trace)) (Hashtbl.to_seq_keys other.traces) then
    Error "the exploration left out a run that another algorithm has found"
  else Ok report
