(* What goes wrong with parts of the standard library when tasks take turns. One domain, so that every run is the same: no two
   tasks run at the same time here, and it goes wrong all the same. doc/stdlib-in-tasks.md explains. *)

let both f g = Weft.run ~domains:1 (fun () -> ignore (Weft.all [ f; g ] : unit list))

(* [first] does half of its work, then [second] all of its, then [first] the rest. *)
let between first second rest =
  let started = Weft.Promise.create () and go = Weft.Promise.create () in
  both
    (fun () ->
      let x = first () in
      Weft.Promise.resolve started ();
      Weft.await go;
      rest x)
    (fun () ->
      Weft.await started;
      second ();
      Weft.Promise.resolve go ())

let say name format = Printf.ksprintf (Printf.printf "%-12s %s\n" name) format

let str () =
  let word = Str.regexp "[a-z]+" in
  let find s = ignore (Str.string_match word s 0 : bool) in
  between
    (fun () -> find "first")
    (fun () -> find "no")
    (fun () -> say "Str" "first is %S" (Str.matched_group 0 "first"))

let lazy_ () =
  let started = Weft.Promise.create () and go = Weft.Promise.create () in
  let value =
    lazy
      (Weft.Promise.resolve started ();
       Weft.await go)
  in
  both
    (fun () -> Lazy.force value)
    (fun () ->
      Weft.await started;
      (try Lazy.force value with exn -> say "Lazy" "%s" (Printexc.to_string exn));
      Weft.Promise.resolve go ())

let mutex () =
  let lock = Mutex.create () in
  between
    (fun () -> Mutex.lock lock)
    (fun () -> try Mutex.lock lock with exn -> say "Mutex" "%s" (Printexc.to_string exn))
    (fun () -> Mutex.unlock lock)

let dls () =
  let key = Domain.DLS.new_key (fun () -> "none") in
  between
    (fun () -> Domain.DLS.set key "first's")
    (fun () -> Domain.DLS.set key "second's")
    (fun () -> say "Domain.DLS" "first reads %s" (Domain.DLS.get key))

let format () =
  let text = Buffer.create 80 in
  let out = Format.formatter_of_buffer text in
  between
    (fun () -> Format.fprintf out "@[<h>first begins,")
    (fun () -> Format.fprintf out "@[<h>second@]@.")
    (fun () -> Format.fprintf out " first ends@]@.");
  say "Format" "%S" (Buffer.contents text)

let printf () =
  let text = Buffer.create 80 in
  let started = Weft.Promise.create () and go = Weft.Promise.create () in
  let slow text =
    Weft.Promise.resolve started ();
    Weft.await go;
    Buffer.add_string text "first ends"
  in
  both
    (fun () -> Printf.bprintf text "first begins, %t\n" slow)
    (fun () ->
      Weft.await started;
      Printf.bprintf text "second\n";
      Weft.Promise.resolve go ());
  say "Printf" "%S" (Buffer.contents text)

let buffer () =
  let text = Buffer.create 80 in
  between
    (fun () -> Buffer.add_string text "first begins, ")
    (fun () -> Buffer.add_string text "second, ")
    (fun () -> Buffer.add_string text "first ends");
  say "Buffer" "%S" (Buffer.contents text)

let hashtbl () =
  let table = Hashtbl.of_seq (List.to_seq [ (1, "one") ]) in
  between
    (fun () -> Hashtbl.mem table 1)
    (fun () -> Hashtbl.remove table 1)
    (fun there ->
      if there then
        try ignore (Hashtbl.find table 1) with exn -> say "Hashtbl" "%s" (Printexc.to_string exn))

let random () =
  let draw () = Random.int 1_000_000 in
  Random.init 42;
  ignore (draw ());
  let alone = draw () in
  between
    (fun () ->
      Random.init 42;
      draw ())
    (fun () -> ignore (draw ()))
    (fun _ -> say "Random" "first draws what its seed says: %b" (draw () = alone))

let logs () =
  let written = Buffer.create 80 in
  Logs.set_reporter (Logs.format_reporter ~app:(Format.formatter_of_buffer written) ());
  Logs_threaded.enable ();
  let started = Weft.Promise.create () and go = Weft.Promise.create () in
  both
    (fun () ->
      Logs.app (fun m ->
          Weft.Promise.resolve started ();
          Weft.await go;
          m "first"))
    (fun () ->
      Weft.await started;
      (try Logs.app (fun m -> m "second") with exn -> say "Logs" "%s" (Printexc.to_string exn));
      Weft.Promise.resolve go ())

let fork () =
  Weft.run ~domains:1 (fun () -> Weft.blocking ignore);
  match Unix.fork () with
  | 0 -> Unix._exit 0
  | _ -> say "fork" "a process"
  | exception exn -> say "fork" "%s" (Printexc.to_string exn)

let queue () =
  let queue = Queue.of_seq (List.to_seq [ 1 ]) in
  between
    (fun () -> Queue.is_empty queue)
    (fun () -> ignore (Queue.take queue : int))
    (fun empty ->
      if not empty then
        try ignore (Queue.take queue : int) with exn -> say "Queue" "%s" (Printexc.to_string exn))

let scanf () =
  let input = Scanf.Scanning.from_string "1 2 3" in
  let read () = Scanf.bscanf input " %d" Fun.id in
  between read (fun () -> ignore (read () : int)) (fun x -> say "Scanf" "first reads %d and %d" x (read ()))

let () =
  format ();
  printf ();
  scanf ();
  str ();
  lazy_ ();
  random ();
  hashtbl ();
  queue ();
  buffer ();
  logs ();
  mutex ();
  dls ();
  fork ()
