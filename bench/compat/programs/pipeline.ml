(* A producer, two stages and a consumer, each a domain, over channels of different sizes. *)

module C = Domainslib.Chan

let stage f source target =
  Domain.spawn (fun () ->
      let rec go () =
        match C.recv source with
        | Some x ->
            C.send target (Some (f x));
            go ()
        | None -> C.send target None
      in
      go ())

let run ~domains:_ ~size =
  let a = C.make_bounded 0 and b = C.make_bounded 1 and c = C.make_unbounded () in
  let doubling = stage (fun x -> 2 * x) a b in
  let labelling = stage (Printf.sprintf "<%d>") b c in
  let producer =
    Domain.spawn (fun () ->
        for i = 1 to size do
          C.send a (Some i)
        done;
        C.send a None)
  in
  let rec consume n last = match C.recv c with Some s -> consume (n + 1) s | None -> (n, last) in
  let n, last = consume 0 "" in
  List.iter Domain.join [ producer; doubling; labelling ];
  Printf.printf "%d items, the last %s\n" n last
