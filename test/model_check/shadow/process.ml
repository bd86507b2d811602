module Traced = Dscheck.TracedAtomic

exception Stopped

type t = { name : string; mutable stopped : bool; mutable passed : int }

(* The process that sets up and judges. *)
let nobody = { name = "judge"; stopped = false; passed = 0 }
let all : t array ref = ref [||]
let running = ref (-1)
let over = ref false
let discarded = ref false
let reasons : (unit -> bool) list ref = ref []
let failed : string option ref = ref None
let steps : (int * string * (unit -> string)) list ref = ref []
let versions : (int * int) list ref = ref []
let length = ref 0

(* The longest scenario here takes some 150 steps. *)
let longest = 2_000
let clean_ups : (unit -> unit) list ref = ref []
let current () = !running
let process i = if i < 0 then nobody else !all.(i)
let name () = (process !running).name
let passed () = (process !running).passed

let pass seconds =
  let p = process !running in
  let first = p.passed = 0 in
  if first then p.passed <- Float.to_int (Float.ceil (seconds *. 1e9));
  first

let restart () =
  over := true;
  List.iter (fun f -> f ()) !clean_ups;
  over := false;
  clean_ups := [];
  all := [||];
  running := -1;
  discarded := false;
  reasons := [];
  failed := None;
  steps := [];
  versions := [];
  length := 0

let on_restart f = clean_ups := f :: !clean_ups

let stop () =
  (process !running).stopped <- true;
  raise Stopped

let block () =
  discarded := true;
  stop ()

let discard_if f = reasons := f :: !reasons
let is_discarded () = !discarded || List.exists (fun f -> f ()) !reasons
let at_end () = running := -1
let failure () = !failed

let spawn name f =
  let p = { name; stopped = false; passed = 0 } in
  let number = Array.length !all in
  all := Array.append !all [| p |];
  Traced.spawn @@ fun () ->
  running := number;
  match f () with
  | () -> ()
  | exception _ when p.stopped -> ()
  | exception exn -> failed := Some (Printf.sprintf "%s raised %s" name (Printexc.to_string exn))

let step what f ~version ~show =
  let number = !running in
  if !over || (process number).stopped then raise Stopped;
  match f () with
  | v ->
      running := number;
      incr length;
      if !length > longest then begin
        failed := Some "the run does not end";
        stop ()
      end;
      if number >= 0 then begin
        steps := (number, what, fun () -> show v) :: !steps;
        versions := (number, version ()) :: !versions
      end;
      v
  | exception _ ->
      (* dscheck ends the processes of a run that it does not follow to its end. From then on they must
         leave the cells alone, for dscheck looks at the cells later to tell whether a compare-and-set
         would succeed. *)
      running := number;
      (process number).stopped <- true;
      raise Stopped

let schedule () =
  List.rev_map
    (fun (number, what, result) ->
      Printf.sprintf "%-*s %-10s %s%s" (2 * number) "" (process number).name what (result ()))
    !steps

let trace () =
  let of_process i = List.filter_map (fun (number, v) -> if number = i then Some v else None) !versions in
  Digest.string (Marshal.to_string (Array.mapi (fun i _ -> of_process i) !all) [ No_sharing ])
