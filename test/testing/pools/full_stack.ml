(* In words. *)
let limit = 16_384

let with_limit f =
  let before = (Gc.get ()).stack_limit in
  Gc.set { (Gc.get ()) with stack_limit = limit };
  Fun.protect ~finally:(fun () -> Gc.set { (Gc.get ()) with stack_limit = before }) f

let rec deep n f =
  if n = 0 then f ()
  else begin
    deep (n - 1) f;
    ignore (Sys.opaque_identity n : int)
  end

(* The depth of calls at which the stack is full. *)
let full () =
  let fits n = match deep n ignore with () -> true | exception Stack_overflow -> false in
  let rec between lo hi =
    if hi - lo <= 1 then hi
    else
      let middle = (lo + hi) / 2 in
      if fits middle then between middle hi else between lo middle
  in
  between 0 (4 * limit)

(* A stack that has grown stays so: each attempt has a new one. *)
let apart start f =
  let result = Weft.Ivar.create () in
  start (fun () ->
      Weft.Ivar.fill result
        (match f () with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ())));
  match Weft.Ivar.read result with
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

let in_new_fiber f = apart (fun run -> ignore (Weft.async run : unit Weft.promise)) f
let in_new_thread f = apart (fun run -> ignore (Thread.create run () : Thread.t)) f

(* The first time the stack grows beyond its limit, which it does once. *)
let in_each_frame f =
  let fill f =
    let ended = ref false in
    let rec down n =
      match down (n + 1) with
      | r -> r + Sys.opaque_identity 1
      | exception Stack_overflow ->
          if not !ended then f ();
          ended := true;
          0
    in
    ignore (down 0 : int)
  in
  in_new_fiber (fun () ->
      fill (fun () -> Weft_platform.Stack_room.(ensure deep));
      fill f)

let last = ref 0
let where () = Printf.sprintf "with room for %d calls" !last

let at_each_room ?(step = 1) ?(outside = false) ~make ~check f =
  let rec from room ~well =
    if well < 20 then begin
      last := room;
      let try_with x =
        match deep (full () - room) (fun () -> f x) with () -> true | exception Stack_overflow -> false
      in
      let attempt () =
        let x = make () in
        let returned = if outside then in_new_thread (fun () -> try_with x) else try_with x in
        check x returned;
        returned
      in
      from (room + step) ~well:(if in_new_fiber attempt then well + 1 else 0)
    end
  in
  (* [full] counts from deeper frames than those that [f] is called from. *)
  from (-60) ~well:0
