(* Calls [report] every [seconds] while [f ()] lasts, and once at the end. *)
let with_progress ~seconds report f =
  let rec tick () =
    Weft.sleep seconds;
    report ();
    tick ()
  in
  let result =
    Weft.Scope.run (fun scope ->
        Weft.Scope.start scope tick;
        let result = f () in
        Weft.Scope.cancel scope;
        result)
  in
  report ();
  result

let () =
  let total = 2000 in
  let finished = Weft_batch.Counter.create () in
  let seen = ref [] in
  let report () = seen := Weft_batch.Counter.get finished :: !seen in
  with_progress ~seconds:0.001 report (fun () ->
      Weft.parallel_for ~start:1 ~finish:total
        ~body:(fun i ->
          ignore (Sys.opaque_identity (Digest.string (String.make i 'x')));
          Weft_batch.Counter.incr finished)
        ());
  Printf.printf "%d of %d\n" (List.hd !seen) total;
  Printf.printf "never backwards: %b\n" (List.sort Int.compare !seen = List.rev !seen)
