type t = {
  max : int;
  lock : Lock.t;
  mutable running : int;
  mutable refused : (unit -> unit) list * (unit -> unit) list;
      (* in line: the first ones, and the last ones backwards *)
}

let make max = { max; lock = Lock.create (); running = 0; refused = ([], []) }
let room a = a.max
let running a = a.running
let key : t list Bindings.key = Bindings.key ()
let[@inline] of_bindings b = if Bindings.is_empty b then [] else Bindings.find key ~default:[] b
let bind a b = Bindings.add key (a :: of_bindings b) b

(* --- one arena --- *)

let enter_one a ~again =
  Lock.protect a.lock @@ fun () ->
  if a.running < a.max then begin
    a.running <- a.running + 1;
    true
  end
  else begin
    let first, last = a.refused in
    a.refused <- (first, again :: last);
    false
  end

(* At most [n] of those in line, first come, first served. *)
let rec take n taken = function
  | [], [] -> (List.rev taken, ([], []))
  | line when n = 0 -> (List.rev taken, line)
  | [], last -> take n taken (List.rev last, [])
  | again :: first, last -> take (n - 1) (again :: taken) (first, last)

let leave_one a =
  let again = ref [] and left = ref false in
  Interrupt.complete (fun () ->
      if not !left then
        Lock.protect a.lock (fun () ->
            let free = a.max - (a.running - 1) in
            let taken, refused = take free [] a.refused in
            a.running <- a.running - 1;
            a.refused <- refused;
            again := taken;
            left := true));
  List.iter (fun again -> Interrupt.complete again) !again

(* --- all around a fiber --- *)

let leave arenas = List.iter leave_one arenas

(* The outermost first: who waits for room further in keeps none further out. *)
let enter arenas ~again =
  let rec go entered = function
    | [] -> true
    | a :: further_in ->
        if enter_one a ~again then go (a :: entered) further_in
        else begin
          leave entered;
          false
        end
  in
  match arenas with [] -> true | arenas -> go [] (List.rev arenas)

let force arenas = List.iter (fun a -> Lock.protect a.lock (fun () -> a.running <- a.running + 1)) arenas
