open Scope_programs

type ending = Not_run | Returned of int | Failed of int | Cancelled
type outcome = { endings : ending list; failures : ending list list }
type outcomes = { ends : outcome list; deadlock : bool }

exception Too_many
exception Waits_for_ever

(* --- states --- *)

(* The reason of a cancellation: a scope's is [Stop] or the failure of a task. *)
type exn_ = Planned of int | Stopped of int | Rest of int | Sibling

(* What can be cancelled: scopes, and the sides of forks, named by their threads. *)
type context = In_scope of int | Left of int | Right of int

type frame =
  | Catching of int * code
  | Shielded of code
  | Iterating of int * code
  | Body of int * int * code
      (** what is to be done after it, and the value to go on with if it was stopped *)

type run = { acc : int; todo : code; frames : frame list }
type kind = Root | Task of { scope : int; index : int } | Left_of of int | Right_of of int

type state =
  | Absent
  | Initial of code
  | Runs of run
  | Waits of run  (** in a channel's queue *)
  | Joins of int * int * run
  | Ends of int * int * (int, exn_) result * run  (** a scope whose body has ended *)
  | Ended of (int, exn_) result
  | Dropped of exn_

type thread = { kind : kind; around : context list; state : state }

type scope = {
  policy : policy;
  outer : context list;
  running : int;
  started : int;
  failures : (int * exn_) list;  (** the youngest first *)
  stop : exn_ option;
}

type channel = {
  room : int;
  lying : int list;
  senders : (int * int) list;
  receivers : int list;
  closed : bool;
}

(* Everything is in arrays indexed by name, which are copied when they change. *)
type world = {
  threads : thread array;
  scopes : scope option array;
  channels : channel option array;
  sides : bool array;  (** the sides of forks that are stopped *)
}

let set a i v =
  let a = Array.copy a in
  a.(i) <- v;
  a

let set_state w i state = { w with threads = set w.threads i { (w.threads.(i)) with state } }
let set_scope w s scope = { w with scopes = set w.scopes s (Some scope) }
let set_channel w c channel = { w with channels = set w.channels c (Some channel) }

(* --- cancellation --- *)

let rec contexts around = function
  | [] -> around
  | Shielded _ :: _ -> []
  | Body (s, _, _) :: frames -> In_scope s :: contexts around frames
  | (Catching _ | Iterating _) :: frames -> contexts around frames

(* The reasons for which the thread may be cancelled, the innermost first; and whether it certainly is: the
   failure of a right side takes some time to reach what the left side has started. *)
let rec verdicts w i = function
  | [] -> ([], false)
  | c :: outer -> (
      match c with
      | In_scope s -> (
          match (Option.get w.scopes.(s)).stop with Some e -> ([ e ], true) | None -> verdicts w i outer)
      | Right t -> if w.sides.(t) then ([ Sibling ], true) else verdicts w i outer
      | Left t ->
          if not w.sides.(t) then verdicts w i outer
          else if t = i then ([ Sibling ], true)
          else
            let further, surely = verdicts w i outer in
            (Sibling :: further, surely))

let stop w s e =
  let scope = Option.get w.scopes.(s) in
  if scope.stop = None then set_scope w s { scope with stop = Some e } else w

(* --- ends --- *)

let is_echo w s e =
  e = Sibling
  || List.exists
       (function In_scope s -> (Option.get w.scopes.(s)).stop = Some e | Left _ | Right _ -> false)
       (In_scope s :: (Option.get w.scopes.(s)).outer)

let fail w s index e =
  if is_echo w s e then w
  else
    let scope = Option.get w.scopes.(s) in
    let w = set_scope w s { scope with failures = (index, e) :: scope.failures } in
    match scope.policy with Cancel_rest -> stop w s (Rest s) | Keep_going -> w

let leave w s =
  let scope = Option.get w.scopes.(s) in
  set_scope w s { scope with running = scope.running - 1 }

let stop_side w t =
  let w = { w with sides = set w.sides t true } in
  match w.threads.(t) with
  | { kind = Right_of _; state = Initial _; _ } -> set_state w t (Dropped Sibling)
  | _ -> w

let ends w i result state =
  let w = set_state w i state in
  match (w.threads.(i).kind, result) with
  | Root, _ | (Left_of _ | Right_of _), Ok _ -> w
  | (Left_of other | Right_of other), Error _ -> stop_side w other
  | Task { scope; index }, result ->
      leave (match result with Ok _ -> w | Error e -> fail w scope index e) scope

let rec raises w i frames e =
  match (frames, e) with
  | [], _ -> ends w i (Error e) (Ended (Error e))
  | Catching (acc, todo) :: frames, Planned n -> goes_on w i { acc = mix acc (caught n); todo; frames }
  | (Catching _ | Shielded _ | Iterating _) :: frames, _ -> raises w i frames e
  | Body (s, before, todo) :: frames, _ ->
      let w = leave (fail w s 0 e) s in
      set_state w i (Ends (s, before, Error e, { acc = before; todo; frames }))

(* Runs to the next step that other threads may notice, or that may be cancelled. *)
and goes_on w i run =
  match run.todo with
  | [] -> (
      match run.frames with
      | (Catching (_, todo) | Shielded todo) :: frames -> goes_on w i { run with todo; frames }
      | Iterating (before, todo) :: frames -> goes_on w i { acc = mix before run.acc; todo; frames }
      | [] | Body _ :: _ -> set_state w i (Runs run))
  | op :: rest -> (
      match op with
      | Add n -> goes_on w i { run with acc = mix run.acc n; todo = rest }
      | Spin _ -> goes_on w i { run with todo = rest }
      | Too_late _ -> goes_on w i { run with acc = mix run.acc too_late; todo = rest }
      | Catch code -> goes_on w i { run with todo = code; frames = Catching (run.acc, rest) :: run.frames }
      | Shield code -> goes_on w i { run with todo = code; frames = Shielded rest :: run.frames }
      | In_time code -> set_state w i (Runs { run with todo = (Check :: code) @ rest })
      | Loop [] -> goes_on w i { run with todo = rest }
      | Loop (code :: codes) ->
          goes_on w i { acc = 0; todo = code; frames = Iterating (run.acc, Loop codes :: rest) :: run.frames }
      | (Send (c, _) | Recv c | Drain c | Close c) when w.channels.(c) = None ->
          goes_on w i { run with todo = rest }
      | Stop s when w.scopes.(s) = None -> goes_on w i { run with todo = rest }
      | Start { scope; _ } when w.scopes.(scope) = None -> goes_on w i { run with todo = rest }
      | Await t when w.threads.(t).state = Absent -> goes_on w i { run with todo = rest }
      | Yield | Sleep | Check | Send _ | Recv _ | Drain _ | Close _ | Fail _ | Stop _ | Await _ | Par _
      | Scope _ | Start _ ->
          set_state w i (Runs run))

let returns w i run =
  match run.frames with
  | [] -> ends w i (Ok run.acc) (Ended (Ok run.acc))
  | Body (s, before, todo) :: frames ->
      set_state (leave w s) i (Ends (s, before, Ok run.acc, { run with todo; frames }))
  | _ -> assert false

(* --- channels --- *)

let run_of w i = match w.threads.(i).state with Runs run | Waits run -> run | _ -> assert false

(* The operation at which the thread waits or stands is done. *)
let done_ w i note =
  let run = run_of w i in
  goes_on w i { run with acc = note run.acc; todo = List.tl run.todo }

let receives w i m =
  let run = run_of w i in
  let todo = match run.todo with Drain _ :: _ -> run.todo | todo -> List.tl todo in
  goes_on w i { run with acc = mix run.acc m; todo }

let nothing_left w i =
  done_ w i (fun acc ->
      mix acc (match (run_of w i).todo with Drain _ :: _ -> all_drained | _ -> nothing_comes))

let channel w c = Option.get w.channels.(c)

(* [None]: the sender must wait. *)
let send w i c m =
  let ch = channel w c in
  if ch.closed then Some (done_ w i (fun acc -> mix acc nobody_takes))
  else
    match ch.receivers with
    | r :: receivers ->
        let w = set_channel w c { ch with receivers } in
        Some (done_ (receives w r m) i Fun.id)
    | [] when List.length ch.lying < ch.room ->
        Some (done_ (set_channel w c { ch with lying = ch.lying @ [ m ] }) i Fun.id)
    | [] -> None

let recv w i c =
  let ch = channel w c in
  match (ch.lying, ch.senders) with
  | m :: lying, [] -> Some (receives (set_channel w c { ch with lying }) i m)
  | m :: lying, (s, next) :: senders ->
      let w = set_channel w c { ch with lying = lying @ [ next ]; senders } in
      Some (receives (done_ w s Fun.id) i m)
  | [], (s, m) :: senders -> Some (receives (done_ (set_channel w c { ch with senders }) s Fun.id) i m)
  | [], [] -> if ch.closed then Some (nothing_left w i) else None

let close w i c =
  let ch = channel w c in
  let w = set_channel w c { ch with closed = true; senders = []; receivers = [] } in
  let w = List.fold_left (fun w (s, _) -> done_ w s (fun acc -> mix acc nobody_takes)) w ch.senders in
  done_ (List.fold_left nothing_left w ch.receivers) i Fun.id

let give_up w i = function
  | Send (c, _) :: _ ->
      let ch = channel w c in
      set_channel w c { ch with senders = List.filter (fun (s, _) -> s <> i) ch.senders }
  | (Recv c | Drain c) :: _ ->
      let ch = channel w c in
      set_channel w c { ch with receivers = List.filter (( <> ) i) ch.receivers }
  | _ -> w

let stand_in_line w i run =
  let w = set_state w i (Waits run) in
  match run.todo with
  | Send (c, m) :: _ ->
      let ch = channel w c in
      set_channel w c { ch with senders = ch.senders @ [ (i, m) ] }
  | (Recv c | Drain c) :: _ ->
      let ch = channel w c in
      set_channel w c { ch with receivers = ch.receivers @ [ i ] }
  | _ -> assert false

(* --- steps --- *)

let first_failure scope =
  match (scope.failures, scope.policy) with
  | [], _ -> None
  | failures, Cancel_rest -> Some (snd (List.nth failures (List.length failures - 1)))
  | failures, Keep_going -> Some (snd (List.hd (List.sort compare failures)))

let start w t thread = { w with threads = set w.threads t thread }

(* The steps that the thread may take next: other threads see the program only between two steps. *)
let steps w i =
  let thread = w.threads.(i) in
  let cancelled_in frames = verdicts w i (contexts thread.around frames) in
  let raised frames exns = List.map (raises w i frames) exns in
  match thread.state with
  | Absent | Ended _ | Dropped _ -> []
  | Initial code -> (
      let exns, surely = cancelled_in [] in
      let dropped = List.map (fun e -> ends w i (Error e) (Dropped e)) exns in
      let started () = goes_on w i { acc = 0; todo = code; frames = [] } in
      match thread.kind with Task _ when surely -> dropped | _ -> started () :: dropped)
  | Waits run -> raised run.frames (fst (cancelled_in run.frames)) |> List.map (fun w -> give_up w i run.todo)
  | Ends (s, before, outcome, run) -> (
      let scope = Option.get w.scopes.(s) in
      if scope.running > 0 then []
      else
        let exns, surely = cancelled_in run.frames in
        let otherwise () =
          match outcome with
          | Ok acc -> goes_on w i { run with acc }
          | Error e when e = Stopped s -> goes_on w i { run with acc = mix before stopped }
          | Error e -> raises w i run.frames e
        in
        match first_failure scope with
        | Some e -> [ raises w i run.frames e ]
        | None -> if surely then raised run.frames exns else otherwise () :: raised run.frames exns)
  | Joins (left, right, run) -> (
      let outcome t =
        match w.threads.(t).state with Ended r -> Some r | Dropped e -> Some (Error e) | _ -> None
      in
      match (outcome left, outcome right) with
      | None, _ | _, None -> []
      | Some (Ok a), Some (Ok b) ->
          goes_on w i { run with acc = mix (mix run.acc a) b }
          :: raised run.frames (fst (cancelled_in run.frames))
      | Some (Error Sibling), Some (Error e) | Some (Error e), Some _ | Some (Ok _), Some (Error e) ->
          [ raises w i run.frames e ])
  | Runs ({ todo = []; _ } as run) -> [ returns w i run ]
  | Runs run -> (
      let exns, surely = cancelled_in run.frames in
      let cancelled = raised run.frames exns in
      let done_ ?(w = w) note = done_ w i note in
      let or_cancelled = function
        | Some w -> w :: cancelled
        | None -> if surely then cancelled else stand_in_line w i run :: cancelled
      in
      match List.hd run.todo with
      | Yield | Sleep | Check -> if surely then cancelled else done_ Fun.id :: cancelled
      | Send (c, m) -> or_cancelled (send w i c m)
      | Recv c | Drain c -> or_cancelled (recv w i c)
      | Close c -> [ close w i c ]
      | Fail n -> [ raises w i run.frames (Planned n) ]
      | Stop s -> [ done_ ~w:(stop w s (Stopped s)) Fun.id ]
      | Await t -> (
          match w.threads.(t).state with
          | Ended (Ok n) -> done_ (fun acc -> mix acc n) :: cancelled
          | Ended (Error e) | Dropped e -> raises w i run.frames e :: cancelled
          | _ -> cancelled)
      | Par { left; right; sides = a, b } ->
          let around = contexts thread.around run.frames in
          let w = start w right { kind = Right_of left; around = Right right :: around; state = Initial b } in
          let w = start w left { kind = Left_of right; around = Left left :: around; state = Initial a } in
          let w = set_state w i (Joins (left, right, { run with todo = List.tl run.todo })) in
          goes_on w left { acc = 0; todo = a; frames = [] } :: cancelled
      | Scope { scope = s; policy; channels; body } ->
          let outer = contexts thread.around run.frames in
          let w = set_scope w s { policy; outer; running = 1; started = 0; failures = []; stop = None } in
          let open_ w (c, room) =
            set_channel w c { room; lying = []; senders = []; receivers = []; closed = false }
          in
          let w = List.fold_left open_ w channels in
          [ goes_on w i { run with todo = body; frames = Body (s, run.acc, List.tl run.todo) :: run.frames } ]
      | Start { task; scope = s; code } ->
          let scope = Option.get w.scopes.(s) in
          if scope.running = 0 then [ done_ (fun acc -> mix acc closed) ]
          else
            let index = scope.started + 1 in
            let w = set_scope w s { scope with started = index; running = scope.running + 1 } in
            let kind = Task { scope = s; index } in
            let w = start w task { kind; around = In_scope s :: scope.outer; state = Initial code } in
            done_ ~w Fun.id :: cancelled
      | Add _ | Spin _ | Too_late _ | Catch _ | Shield _ | In_time _ | Loop _ -> assert false)

(* --- whole programs --- *)

let beginning code =
  let threads, scopes, channels, _ = names_in code in
  let w =
    {
      threads = Array.make threads { kind = Root; around = []; state = Absent };
      scopes = Array.make scopes None;
      channels = Array.make channels None;
      sides = Array.make threads false;
    }
  in
  goes_on w 0 { acc = 0; todo = code; frames = [] }

let ending_by = function Planned n -> Failed n | Stopped _ | Rest _ | Sibling -> Cancelled

let ending_of thread =
  match thread.state with Ended (Ok n) -> Returned n | Ended (Error e) -> ending_by e | _ -> Not_run

let failures_of = function
  | None -> []
  | Some scope -> List.map (fun (_, e) -> ending_by e) (List.sort compare scope.failures)

let outcome_of w =
  {
    endings = Array.to_list (Array.map ending_of w.threads);
    failures = Array.to_list (Array.map failures_of w.scopes);
  }

let has_ended w = match w.threads.(0).state with Ended _ -> true | _ -> false
let all_steps w = List.concat (List.init (Array.length w.threads) (steps w))

let outcomes ~limit code =
  let seen = Hashtbl.create 1000 and found = Hashtbl.create 16 and deadlock = ref false in
  let rec visit w =
    let key = Digest.string (Marshal.to_string w [ No_sharing ]) in
    if not (Hashtbl.mem seen key) then begin
      if Hashtbl.length seen >= limit then raise Too_many;
      Hashtbl.add seen key ();
      if has_ended w then Hashtbl.replace found (outcome_of w) ()
      else match all_steps w with [] -> deadlock := true | nexts -> List.iter visit nexts
    end
  in
  visit (beginning code);
  { ends = Hashtbl.fold (fun outcome () all -> outcome :: all) found []; deadlock = !deadlock }

let one_outcome ~choose code =
  let rec go w =
    if has_ended w then ending_of w.threads.(0)
    else
      match all_steps w with
      | [] -> raise Waits_for_ever
      | nexts -> go (List.nth nexts (choose (List.length nexts)))
  in
  go (beginning code)
