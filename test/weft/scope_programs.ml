type policy = Weft.Scope.policy = Cancel_rest | Keep_going

type op =
  | Add of int
  | Spin of int
  | Yield
  | Sleep
  | Check
  | Send of int * int
  | Recv of int
  | Drain of int
  | Close of int
  | Fail of int
  | Stop of int
  | Await of int
  | Par of { left : int; right : int; sides : code * code }
  | Loop of code list
  | Shield of code
  | Too_late of code
  | In_time of code
  | Catch of code
  | Scope of { scope : int; policy : policy; channels : (int * int) list; body : code }
  | Start of { task : int; scope : int; code : code }

and code = op list

(* --- results --- *)

let mix acc n = ((acc * 31) + n) land 0xfffffff
let nothing_comes = 901
let all_drained = 902
let nobody_takes = 903
let too_late = 904
let stopped = 905
let closed = 906
let caught n = 1000 + n

(* --- printing --- *)

let rec print_op = function
  | Add n -> Printf.sprintf "add %d" n
  | Spin n -> Printf.sprintf "spin %d" n
  | Yield -> "yield"
  | Sleep -> "sleep"
  | Check -> "check"
  | Send (c, v) -> Printf.sprintf "send %d to c%d" v c
  | Recv c -> Printf.sprintf "recv c%d" c
  | Drain c -> Printf.sprintf "drain c%d" c
  | Close c -> Printf.sprintf "close c%d" c
  | Fail n -> Printf.sprintf "fail %d" n
  | Stop s -> Printf.sprintf "stop s%d" s
  | Await t -> Printf.sprintf "await t%d" t
  | Par { left; right; sides = a, b } ->
      Printf.sprintf "par(t%d: %s || t%d: %s)" left (print a) right (print b)
  | Loop codes -> Printf.sprintf "loop(%s)" (String.concat " || " (List.map print codes))
  | Shield code -> Printf.sprintf "shield(%s)" (print code)
  | Too_late code -> Printf.sprintf "too late(%s)" (print code)
  | In_time code -> Printf.sprintf "in time(%s)" (print code)
  | Catch code -> Printf.sprintf "catch(%s)" (print code)
  | Scope { scope; policy; channels; body } ->
      let channel (c, capacity) =
        if capacity = max_int then Printf.sprintf " c%d" c else Printf.sprintf " c%d[%d]" c capacity
      in
      Printf.sprintf "scope s%d%s%s(%s)" scope
        (match policy with Cancel_rest -> "" | Keep_going -> " keep going")
        (String.concat "" (List.map channel channels))
        (print body)
  | Start { task; scope; code } -> Printf.sprintf "start t%d in s%d(%s)" task scope (print code)

and print code = String.concat "; " (List.map print_op code)

(* --- shrinking --- *)

let parts = function
  | Par { sides = a, b; _ } -> [ a; b ]
  | Loop codes -> codes
  | Shield code | Too_late code | In_time code | Catch code | Start { code; _ } -> [ code ]
  | Scope { body; _ } -> [ body ]
  | Add _ | Spin _ | Yield | Sleep | Check | Send _ | Recv _ | Drain _ | Close _ | Fail _ | Stop _ | Await _
    ->
      []

let with_parts op parts =
  match (op, parts) with
  | Par p, [ a; b ] -> Par { p with sides = (a, b) }
  | Loop _, codes -> Loop codes
  | Shield _, [ code ] -> Shield code
  | Too_late _, [ code ] -> Too_late code
  | In_time _, [ code ] -> In_time code
  | Catch _, [ code ] -> Catch code
  | Scope s, [ body ] -> Scope { s with body }
  | Start s, [ code ] -> Start { s with code }
  | op, _ -> op

(* Drops an operation, or all of it but one part, or something in a part. *)
let rec shrink code yield =
  let rec at before = function
    | [] -> ()
    | op :: after ->
        let instead ops = yield (List.rev_append before (ops @ after)) in
        instead [];
        List.iter instead (parts op);
        let rec part before = function
          | [] -> ()
          | code :: after ->
              shrink code (fun code -> instead [ with_parts op (List.rev_append before (code :: after)) ]);
              part (code :: before) after
        in
        part [] (parts op);
        at (op :: before) after
  in
  at [] code

let rec has p code = List.exists (fun op -> p op || List.exists (has p) (parts op)) code

let rec length code =
  List.fold_left (fun n op -> List.fold_left (fun n part -> n + length part) (n + 1) (parts op)) 0 code

(* How many threads, scopes, channels and messages the code names. *)
let rec names_in code =
  let most (a, b, c, d) (e, f, g, h) = (max a e, max b f, max c g, max d h) in
  let named = function
    | Par { left; right; _ } -> (1 + max left right, 0, 0, 0)
    | Start { task; scope; _ } -> (1 + task, 1 + scope, 0, 0)
    | Await task -> (1 + task, 0, 0, 0)
    | Stop scope -> (0, 1 + scope, 0, 0)
    | Scope { scope; channels; _ } ->
        (0, 1 + scope, List.fold_left (fun n (c, _) -> max n (1 + c)) 0 channels, 0)
    | Send (c, m) -> (0, 0, 1 + c, 1 + m)
    | Recv c | Drain c | Close c -> (0, 0, 1 + c, 0)
    | Add _ | Spin _ | Yield | Sleep | Check | Fail _ | Loop _ | Shield _ | Too_late _ | In_time _ | Catch _
      ->
        (0, 0, 0, 0)
  in
  List.fold_left
    (fun n op -> List.fold_left (fun n part -> most n (names_in part)) (most n (named op)) (parts op))
    (1, 0, 0, 0) code

(* --- generating --- *)

(* Names: of threads (tasks, sides of forks), scopes, channels, messages. *)
type names = {
  rand : Random.State.t;
  mutable threads : int;
  mutable scopes : int;
  mutable channels : int;
  mutable messages : int;
}

let names rand = { rand; threads = 1; scopes = 0; channels = 0; messages = 0 }

let thread g =
  g.threads <- g.threads + 1;
  g.threads - 1

let scope g =
  g.scopes <- g.scopes + 1;
  g.scopes - 1

let channel g =
  g.channels <- g.channels + 1;
  g.channels - 1

let message g =
  g.messages <- g.messages + 1;
  g.messages

let int g n = Random.State.int g.rand n
let one_in g n = int g n = 0
let pick g choices = List.nth choices (int g (List.length choices))
let capacity g = pick g [ 0; 0; 1; 1; 2; 4; max_int ]
let policy g = if one_in g 3 then Keep_going else Cancel_rest

let weighted g choices =
  let rec choose n = function
    | [] -> assert false
    | (weight, make) :: rest -> if n < weight then make () else choose (n - weight) rest
  in
  choose (int g (List.fold_left (fun sum (weight, _) -> sum + weight) 0 choices)) choices

let pause g = pick g [ Add (int g 100); Spin (int g 3000); Yield; Sleep; Check ]

let par g a b =
  let left = thread g in
  Par { left; right = thread g; sides = (a, b) }

let rec times n f =
  if n <= 0 then []
  else
    let x = f () in
    x :: times (n - 1) f

(* --- one outcome --- *)

(* A network of threads. The code of all threads grows along one history of what is sent and received, in
   which no thread waits in vain. Since no channel has two senders or two receivers, all other schedules
   have the same outcome. *)
let rec network g size =
  let who = Array.make (2 + int g 3) [] in
  let others i = (i + 1 + int g (Array.length who - 1)) mod Array.length who in
  let does i ops = who.(i) <- List.rev_append ops who.(i) in
  let channels =
    times
      (1 + int g 4)
      (fun () ->
        let sender = int g (Array.length who) in
        (channel g, capacity g, sender, others sender))
  in
  let is_open = Hashtbl.create 8 in
  List.iter (fun (c, _, _, _) -> Hashtbl.add is_open c ()) channels;
  let send c = Send (c, message g) in
  for _ = 1 to size do
    if one_in g 3 then does (int g (Array.length who)) [ enclosed g (size / 3) ]
    else
      let c, _, sender, receiver = pick g channels in
      if not (Hashtbl.mem is_open c) then does receiver [ Recv c ]
      else if one_in g 8 then begin
        Hashtbl.remove is_open c;
        does sender (times (int g 5) (fun () -> send c) @ [ Close c ] @ if one_in g 2 then [ send c ] else []);
        does receiver [ Drain c ]
      end
      else begin
        does sender [ send c ];
        does receiver [ Recv c ]
      end
  done;
  let codes = Array.to_list (Array.map (fun ops -> wrapped g (List.rev ops)) who) in
  let channels = List.map (fun (c, capacity, _, _) -> (c, capacity)) channels in
  let scope = scope g and policy = policy g in
  match codes with
  | [ a; b ] when one_in g 2 -> Scope { scope; policy; channels; body = [ par g a b ] }
  | body :: tasks ->
      let start code = Start { task = thread g; scope; code } in
      let tasks = List.map start tasks in
      let await = function Start { task; _ } -> Await task | _ -> assert false in
      Scope { scope; policy; channels; body = tasks @ body @ List.map await tasks }
  | [] -> assert false

(* Puts a stretch of the code into a construct that does not change its meaning. *)
and wrapped g code =
  if code = [] || one_in g 3 then code
  else
    let n = List.length code in
    let first = int g n in
    let last = first + int g (n - first) in
    let before = List.filteri (fun i _ -> i < first) code
    and inside = List.filteri (fun i _ -> first <= i && i <= last) code
    and after = List.filteri (fun i _ -> i > last) code in
    let op =
      weighted g
        [
          (1, fun () -> Shield inside);
          (1, fun () -> In_time inside);
          (1, fun () -> Catch inside);
          (1, fun () -> par g inside [ pause g ]);
          (1, fun () -> par g [ pause g ] inside);
          (1, fun () -> in_task g inside);
        ]
    in
    wrapped g (before @ (op :: after))

and in_task g code =
  let scope = scope g and task = thread g in
  Scope
    { scope; policy = policy g; channels = []; body = [ Start { task; scope; code }; pause g; Await task ] }

(* Code that shares nothing with the outside. *)
and enclosed g size =
  let part () = enclosed g (size / 2) in
  weighted g
    ((8, fun () -> pause g)
    ::
    (if size <= 1 then []
     else
       [
         (2, fun () -> network g (size / 2));
         (2, fun () -> par g [ part (); pause g ] [ part () ]);
         (1, fun () -> Loop (times (int g 5) (fun () -> [ part () ])));
         (1, fun () -> Too_late [ part () ]);
         (1, fun () -> Catch [ part (); Fail (int g 100); part () ]);
         (1, fun () -> Catch [ stopping g ~by:(fun _ -> [ Fail (int g 100) ]) ]);
         (2, fun () -> stopping g ~by:(fun scope -> [ Stop scope; Check ]));
         (1, fun () -> Catch [ failing_later g ]);
       ]))

(* Tasks that would wait for ever: in the scope, and in scopes and forks inside it. *)
and stopping g ~by =
  let scope = scope g and channel = channel g in
  let wait () = if one_in g 2 then [ Recv channel ] else [ Drain channel ] in
  let waiting () =
    weighted g
      [
        (2, wait);
        (1, fun () -> [ in_task g (wait ()) ]);
        (1, fun () -> [ par g (wait ()) [ pause g ] ]);
        (1, fun () -> [ par g [ pause g ] (wait ()) ]);
        (1, fun () -> [ Catch [ In_time (wait ()) ] ]);
      ]
  in
  let start code = Start { task = thread g; scope; code } in
  let tasks = times (1 + int g 3) (fun () -> start (waiting ())) in
  let end_ = by scope in
  let body =
    weighted g
      [
        (1, fun () -> tasks @ (pause g :: end_));
        (1, fun () -> tasks @ [ start (pause g :: end_) ] @ waiting ());
        (1, fun () -> tasks @ [ par g (waiting ()) (pause g :: end_) ]);
        (1, fun () -> tasks @ [ par g (pause g :: end_) (waiting ()) ]);
      ]
  in
  Scope { scope; policy = Cancel_rest; channels = [ (channel, capacity g) ]; body }

(* All tasks run, and the leftmost failure counts. *)
and failing_later g =
  let scope = scope g in
  let start () =
    let code = if one_in g 2 then [ pause g; Fail (int g 100) ] else [ pause g ] in
    Start { task = thread g; scope; code }
  in
  Scope { scope; policy = Keep_going; channels = []; body = times (2 + int g 3) start }

let deterministic rand =
  let g = names rand in
  network g (2 + int g 40) :: times (int g 4) (fun () -> enclosed g (2 + int g 20))

(* --- several --- *)

type around = { channels : int list; scopes : int list; tasks : int list }

let racing rand =
  let g = names rand in
  let left = ref (8 + int g 8) in
  let rec code ~most around =
    let rec from around n =
      if n = 0 || !left <= 0 then []
      else begin
        decr left;
        let op = one around in
        let around =
          match op with Start { task; _ } -> { around with tasks = task :: around.tasks } | _ -> around
        in
        op :: from around (n - 1)
      end
    in
    from around (1 + int g most)
  and one around =
    let inside () = code ~most:3 around in
    let unless_none names choices = if names = [] then [] else choices (fun () -> pick g names) in
    weighted g
      (unless_none around.channels (fun c ->
           [
             (8, fun () -> Send (c (), message g));
             (7, fun () -> Recv (c ()));
             (2, fun () -> Drain (c ()));
             (2, fun () -> Close (c ()));
           ])
      @ unless_none around.scopes (fun s ->
            [
              (2, fun () -> Stop (s ()));
              (* Inside a shield, code may meet tasks that have been cancelled and have not noticed. *)
              (2, fun () -> Shield (Stop (s ()) :: inside ()));
              (2, fun () -> start (s ()) around);
            ])
      @ unless_none around.tasks (fun t -> [ (2, fun () -> Await (t ())) ])
      @ [
          (2, fun () -> Fail (int g 10));
          (2, fun () -> pick g [ Yield; Check; Sleep ]);
          (3, fun () -> forked (inside ()) around);
          (1, fun () -> Shield (inside ()));
          (1, fun () -> Too_late (inside ()));
          (1, fun () -> In_time (inside ()));
          (2, fun () -> Catch (inside ()));
          (2, fun () -> new_scope around);
        ])
  and forked a around = par g a (code ~most:2 around)
  and start scope around =
    let task = thread g in
    Start { task; scope; code = code ~most:3 around }
  (* In half of the programs the scope starts tasks at once, and in half of these the body closes the
     channels. *)
  and new_scope around =
    let scope = scope g in
    let channels = times (1 + int g 2) (fun () -> (channel g, capacity g)) in
    let own = List.map fst channels in
    let around = { around with channels = own @ around.channels; scopes = scope :: around.scopes } in
    let tasks = times (int g 4) (fun () -> start scope around) in
    let rest = code ~most:3 around in
    let closes = if tasks <> [] && one_in g 2 then List.map (fun c -> Close c) own else [] in
    Scope { scope; policy = policy g; channels; body = tasks @ rest @ closes }
  in
  [ new_scope { channels = []; scopes = []; tasks = [] } ]
