module Cancel = Weft.Cancel

let unexpected what exn = Alcotest.failf "%s: %s" what (Printexc.to_string exn)

let times_out what f =
  match f () with
  | _ -> Alcotest.failf "%s: no time-out" what
  | exception Cancel.Timeout -> ()
  | exception exn -> unexpected what exn

let is_cancelled what reason f =
  match f () with
  | _ -> Alcotest.failf "%s: not cancelled" what
  | exception Cancel.Cancelled r when r = reason -> ()
  | exception exn -> unexpected what exn

let fails_with what expected f =
  match f () with
  | _ -> Alcotest.failf "%s: has not failed" what
  | exception exn when exn = expected -> ()
  | exception exn -> unexpected what exn

let long = 3600.
let sleep_long () = Weft.sleep long
let returns what f = Support.watched (fun () -> what) f

type inside = { entered : int Atomic.t; left : int Atomic.t }

let inside () = { entered = Atomic.make 0; left = Atomic.make 0 }

let visit i f =
  Atomic.incr i.entered;
  Fun.protect f ~finally:(fun () -> Atomic.incr i.left)

let visits i = Atomic.get i.entered

let nobody_inside what i =
  let left = Atomic.get i.left in
  let entered = Atomic.get i.entered in
  if entered <> left then Alcotest.failf "%s: %d of %d are still inside" what (entered - left) entered

let in_threads n f =
  let failed = Atomic.make None in
  let run i = try f i with exn -> Atomic.set failed (Some (exn, Printexc.get_raw_backtrace ())) in
  List.iter Thread.join (List.init n (Thread.create run));
  Option.iter (fun (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace) (Atomic.get failed)

(* --- failures of scopes --- *)

let planned n () = raise (Support.Planned n)
let numbers failures = List.map (function Support.Planned n, _ -> n | exn, _ -> raise exn) failures

let check_numbers what expected s =
  Alcotest.(check (list int)) what expected (numbers (Weft.Scope.failures s))
