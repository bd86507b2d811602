type step = { mutable seconds : float; mutable times : int }

type t = {
  rounds : int;
  steps : (string, step) Hashtbl.t;
  began : float;
  mutable under_way : (step * float) option;  (** the step, and since when *)
  visible : bool;
}

let now () = Int64.to_float (Mtime_clock.elapsed_ns ()) *. 1e-9
let clear_line = "\r\027[K"

let start ~rounds names =
  let steps = Hashtbl.create 64 in
  List.iter (fun name -> Hashtbl.replace steps name { seconds = 0.; times = 0 }) names;
  let visible = Unix.isatty Unix.stderr && Sys.getenv_opt "TERM" <> Some "dumb" in
  { rounds; steps; began = now (); under_way = None; visible }

(* {1 How long} *)

let left t ~now =
  let seconds, times =
    Hashtbl.fold (fun _ step (seconds, times) -> (seconds +. step.seconds, times + step.times)) t.steps (0., 0)
  in
  if times = 0 then None
  else
    let typical = seconds /. float_of_int times in
    let of_step _ { seconds; times } sum =
      let each = if times = 0 then typical else seconds /. float_of_int times in
      sum +. (each *. float_of_int (t.rounds - times))
    in
    let rest = Hashtbl.fold of_step t.steps 0. in
    let spent = Option.fold t.under_way ~none:0. ~some:(fun (_, since) -> now -. since) in
    Some (Float.max 0. (rest -. spent))

let duration seconds =
  let s = int_of_float (Float.ceil seconds) in
  if s < 60 then Printf.sprintf "%d s" s
  else if s < 600 then Printf.sprintf "%d min %d s" (s / 60) (s mod 60)
  else if s < 3_600 then Printf.sprintf "%d min" ((s + 30) / 60)
  else Printf.sprintf "%d h %d min" (s / 3_600) (s mod 3_600 / 60)

(* {1 The line} *)

let bar_width = 16

let line ~width ~elapsed ~left text =
  let share, to_go =
    match left with
    | None -> (0., "")
    | Some left -> (elapsed /. Float.max 1e-9 (elapsed +. left), duration left ^ " left, ")
  in
  let full = Int.min bar_width (int_of_float (share *. float_of_int bar_width)) in
  let line =
    Printf.sprintf "[%s%s] %d %%, %s%s" (String.make full '#')
      (String.make (bar_width - full) '.')
      (int_of_float (100. *. share))
      to_go text
  in
  if String.length line <= width then line else String.sub line 0 width

(* The line must fit, since one that the terminal wraps could not be cleared. *)
let width () =
  match Option.bind (Sys.getenv_opt "COLUMNS") int_of_string_opt with Some n when n > 1 -> n - 1 | _ -> 79

let show t text =
  if t.visible then
    let now = now () in
    let line = line ~width:(width ()) ~elapsed:(now -. t.began) ~left:(left t ~now) text in
    Printf.eprintf "%s%s%!" clear_line line

let end_step t =
  let ended (step, since) =
    step.seconds <- step.seconds +. (now () -. since);
    step.times <- step.times + 1
  in
  Option.iter ended t.under_way;
  t.under_way <- None

let step t ~about name =
  end_step t;
  Option.iter (fun step -> t.under_way <- Some (step, now ())) (Hashtbl.find_opt t.steps name);
  show t (about ^ ": " ^ name)

let finish t =
  end_step t;
  if t.visible then Printf.eprintf "%s%!" clear_line

let drop t names =
  finish t;
  List.iter (Hashtbl.remove t.steps) names
