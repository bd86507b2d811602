open Testing
open Growth

type t = {
  prefix : string;
  files : string list;
  sizes : int list;
  in_pool : bool;
  cases : case list;
  except : (string * string list) list;
}

let sizes all = List.filteri (fun i _ -> i < Effort.count ~quick:1 ~usual:2 ~long:3) all

(* --- fibers that wait --- *)

let unfinished : (unit -> unit) list ref = ref []

let finish () =
  let all = !unfinished in
  unfinished := [];
  List.iter (fun f -> f ()) all

(* Returns when all of them wait, or have ended. *)
let start n f =
  let start_one _ =
    let fiber = ref None in
    let run () =
      fiber := Some (Weft_scheduler.Context.current ()).fiber;
      f ()
    in
    (fiber, Weft.async run)
  in
  let waits (fiber, task) =
    match !fiber with
    | Some { Weft_scheduler.Fiber.state = Suspended _ | Suspended_cancelled _; _ } -> true
    | _ -> Weft.Promise.is_settled task
  in
  let all = List.init n start_one in
  while not (List.for_all waits all) do
    Weft.yield ()
  done;
  List.map snd all

let waiting n f =
  let token = Weft.Cancel.create () in
  let tasks = start n (fun () -> try Weft.Cancel.within token f with Weft.Cancel.Cancelled _ -> ()) in
  unfinished :=
    (fun () ->
      Weft.Cancel.cancel token;
      List.iter Weft.await tasks)
    :: !unfinished

let served n f serve =
  let tasks = start n f in
  fun () ->
    serve ();
    List.iter Weft.await tasks

let nested n enter f =
  let go = Weft.Ivar.create () and did = Weft.Ivar.create () and leave = Weft.Ivar.create () in
  let rec inside k () =
    if k > 0 then enter (inside (k - 1))
    else begin
      Weft.Ivar.read go;
      ignore (Sys.opaque_identity (f ()));
      Weft.Ivar.fill did ();
      Weft.Ivar.read leave
    end
  in
  let tasks = start 1 (inside n) in
  unfinished :=
    (fun () ->
      ignore (Weft.Ivar.try_fill go () : bool);
      Weft.Ivar.fill leave ();
      List.iter Weft.await tasks)
    :: !unfinished;
  fun () ->
    Weft.Ivar.fill go ();
    Weft.Ivar.read did

(* --- ways to call --- *)

type way = string -> (int -> unit -> unit) -> case

let ignoring f x () = ignore (Sys.opaque_identity (f x))
let few = 50

let repeat n f () =
  for i = 0 to n - 1 do
    ignore (Sys.opaque_identity (f i))
  done

let constant name f = words name Constant (fun _ -> repeat few (fun _ -> f ()))

let few_of name make f =
  words name Constant (fun n ->
      let s = make n in
      repeat few (fun _ -> f s))

let each_of name make f =
  each
    (words name Linear (fun n ->
         let s = make n in
         repeat n (f s)))

let whole name make f = words name Linear (fun n -> ignoring f (make n))

let noting note f x =
  note ();
  f x

let plus note a b =
  note ();
  a + b

(* --- checks --- *)

let check t =
  let all () =
    Fun.protect ~finally:finish (fun () -> Growth.check t.prefix ~between:finish ~sizes:t.sizes t.cases)
  in
  if t.in_pool then Weft.run ~domains:1 all else all ()

let function_of case = List.hd (String.split_on_char ',' (Growth.name case))
let interfaces t = List.map (fun file -> (file, Interface.read file)) t.files

let check_complete t =
  let there =
    List.concat_map
      (fun (_, (i : Interface.t)) -> List.map (fun (v : Interface.value) -> v.name) i.values)
      (interfaces t)
    |> List.sort_uniq compare
  in
  let covered = List.concat_map snd t.except @ List.map function_of t.cases in
  let names what = function
    | [] -> ()
    | names -> Alcotest.failf "%s %s" what (String.concat ", " (List.map (( ^ ) t.prefix) names))
  in
  names "no case for" (List.filter (fun name -> not (List.mem name covered)) there);
  names "no such value:" (List.filter (fun name -> not (List.mem name there)) covered);
  List.iter
    (fun (reason, names) -> if reason = "" || names = [] then Alcotest.failf "%s an empty reason" t.prefix)
    t.except

let check_stated t =
  let interfaces = interfaces t in
  let costs = String.concat " " (List.map (fun (_, i) -> Interface.paragraph_on_costs i) interfaces) in
  let differs rule (v : Interface.value) =
    match List.find_opt (fun case -> function_of case = v.name) t.cases with
    | Some case -> Growth.stated case <> rule
    | None -> not (List.exists (fun (_, names) -> List.mem v.name names) t.except)
  in
  let fault file (v : Interface.value) =
    match Interface.stated ~costs v with
    | Itself -> None
    | By_rule rule when not (differs rule v) -> None
    | By_rule rule -> Some (Printf.sprintf "%s: %s, %s by the rule, is not that here" file v.name rule)
    | Nowhere -> Some (Printf.sprintf "%s: %s" file v.name)
  in
  match
    List.concat_map (fun (file, (i : Interface.t)) -> List.filter_map (fault file) i.values) interfaces
  with
  | [] -> ()
  | faults -> Alcotest.failf "the cost is not stated:\n%s" (String.concat "\n" faults)
