open Support
module Pool = Weft.Pool

(* Hooks stay for the rest of the program: they do nothing but while the test runs. *)
let is_on = Atomic.make false
let lock = Mutex.create ()
let ready : (int, string list) Hashtbl.t = Hashtbl.create 8
let stops = ref 0
let me () = Thread.id (Thread.self ())
let state () = Mutex.protect lock (fun () -> Hashtbl.find_opt ready (me ()))

let start name () =
  if Atomic.get is_on then
    Mutex.protect lock (fun () ->
        let before = Option.value (Hashtbl.find_opt ready (me ())) ~default:[] in
        Hashtbl.replace ready (me ()) (name :: before))

let wrong = Atomic.make false

(* The last that was started is stopped first. *)
let stop name () =
  Mutex.protect lock (fun () ->
      match Hashtbl.find_opt ready (me ()) with
      | Some (last :: before) ->
          if last <> name then Atomic.set wrong true;
          if before = [] then begin
            incr stops;
            Hashtbl.remove ready (me ())
          end
          else Hashtbl.replace ready (me ()) before
      | Some [] | None -> ())

let add =
  Weft_platform.Memo.once (fun () ->
      List.iter (fun name -> Pool.on_worker ~start:(start name) ~stop:(stop name)) [ "first"; "second" ];
      Pool.on_worker ~start:(fun () -> if Atomic.get is_on then failwith "planned, by a test") ~stop:ignore)

(* The functions are called in threads of the default pool, too, which other tests may have used already. *)
let while_on f =
  Pool.close (Pool.default ());
  add ();
  Atomic.set is_on true;
  Fun.protect f ~finally:(fun () -> Atomic.set is_on false)

(* Jobs from outside, while the caller is not in its place: all run on threads of Weft's. *)
let each_thread () =
  while_on @@ fun () ->
  List.iter
    (fun domains ->
      let pool = Pool.create ~domains () in
      for _ = 1 to 3 do
        let seen = List.init 8 (fun _ -> Pool.async pool state) in
        List.iter
          (fun p ->
            wait_until "it has run" (fun () -> Weft.Promise.is_settled p);
            check "started, in order" (Weft.await p = Some [ "second"; "first" ]))
          seen;
        (* Domains end meanwhile, and others begin. *)
        Thread.delay 0.012
      done;
      Pool.close pool;
      check "stopped" (Hashtbl.length ready = 0);
      check "in the opposite order" (not (Atomic.get wrong));
      check "some thread has" (!stops > 0))
    sizes

let not_the_caller () =
  while_on @@ fun () ->
  Pool.with_pool ~domains:1 (fun pool -> check "the caller's thread" (Pool.run pool state = None))

let tests =
  [
    case "hooks: each thread that works calls them" each_thread;
    case "hooks: a thread from outside does not" not_the_caller;
  ]
