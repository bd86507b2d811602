type t = { notes : Notes.t; gate : (string, unit) Gate.t; inside : bool Atomic.t }

(* Two steps, so that somebody else inside would be seen. *)
let apply t call =
  if Atomic.exchange t.inside true then Explore.violate "%s: not alone" call;
  Notes.add t.notes call;
  Atomic.set t.inside false

(* The eldest first. *)
let rec in_order found : (_, _) Gate.word -> string list = function
  | Call { call; next; depth; _ } as word ->
      if Gate.depth word <> depth || Gate.depth next <> depth - 1 then
        Explore.violate "%s: a chain of depth %d" call depth;
      in_order (call :: found) next
  | Busy -> found
  | Idle | Turn _ -> Explore.violate "what is this in line?"

let rec leave t = if not (Gate.leave t.gate) then serve t

and serve t =
  List.iter (apply t) (in_order [] (Gate.take t.gate));
  leave t

let rec line_up t call word =
  match Gate.look t.gate with
  | Idle -> if Gate.enter t.gate then apply_and_leave t call else line_up t call word
  | onto -> if not (Gate.push t.gate word ~onto) then line_up t call word

and apply_and_leave t call =
  apply t call;
  leave t

let call t call =
  if Gate.enter t.gate then apply_and_leave t call
  else line_up t call (Gate.Call { call; caller = (); next = Busy; depth = 0 })

(* The pool of those in line is closed. *)
let end_waits t =
  match Gate.look t.gate with
  | Idle | Busy -> ()
  | chain ->
      if Gate.take_if t.gate chain then
        List.iter (fun call -> Notes.add t.notes (call ^ " ended")) (in_order [] chain)

let scenario name ~calls ~outcomes spawn : Scenario.t =
  let set_up () =
    let t = { notes = Notes.make (); gate = Gate.make (); inside = Atomic.make false } in
    spawn t;
    fun () ->
      (match Gate.look t.gate with
      | Idle -> ()
      | Busy -> Explore.violate "the gate is left, and busy"
      | Call _ | Turn _ -> Explore.violate "somebody is left in line");
      let who name =
        match Notes.at_most_once t.notes (name ^ " ended") with
        | Some _ -> name ^ " ended"
        | None -> name ^ " by " ^ Notes.once t.notes name
      in
      List.iter (fun name -> ignore (Notes.the_one t.notes [ name; name ^ " ended" ])) calls;
      String.concat ", " (List.map who calls)
  in
  { name; long = false; outcomes; set_up }

let caller t name what = Process.spawn name (fun () -> call t what)

let all =
  [
    ( scenario "a structure: two callers" ~calls:[ "a"; "b" ]
        ~outcomes:[ "a by A, b by A"; "a by A, b by B"; "a by B, b by B" ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b" );
    ( scenario "a structure: three callers" ~calls:[ "a"; "b"; "c" ]
        ~outcomes:
          [
            "a by A, b by B, c by C";
            "a by B, b by B, c by C";
            "a by C, b by B, c by C";
            "a by A, b by A, c by C";
            "a by A, b by C, c by C";
            "a by A, b by B, c by A";
            "a by A, b by B, c by B";
            "a by A, b by A, c by A";
            "a by B, b by B, c by B";
            "a by C, b by C, c by C";
          ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b";
      caller t "C" "c" );
    ( scenario "a structure: two callers, one who ends waits" ~calls:[ "a"; "b" ]
        ~outcomes:
          [ "a by A, b by A"; "a by A, b by B"; "a by A, b ended"; "a by B, b by B"; "a ended, b by B" ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b";
      Process.spawn "C" (fun () -> end_waits t) );
  ]
