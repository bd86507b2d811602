module Chan = Weft.Chan
module Scope = Weft.Scope

(* If a part fails, nothing need be closed: its scope cancels the others. *)
let summarize ?(parse = Summary.of_lines) ~parsers ~read () =
  let blocks = Chan.bounded parsers and summaries = Chan.bounded parsers in
  let read buffer start length = Weft.blocking (fun () -> read buffer start length) in
  let read_all () =
    let too_long = Blocks.iter ~read (Chan.send blocks) in
    Chan.close blocks;
    too_long
  in
  let parse_all () =
    Scope.run (fun scope ->
        for _ = 1 to parsers do
          Scope.start scope (fun () -> Chan.iter (fun block -> Chan.send summaries (parse block)) blocks)
        done);
    (* All parsers have ended. *)
    Chan.close summaries
  in
  Scope.run (fun scope ->
      let too_long = Scope.async scope read_all in
      Scope.start scope parse_all;
      let total = Summary.create () in
      Chan.iter (fun summary -> Summary.merge ~into:total summary) summaries;
      Summary.add_bad_lines total (Weft.await too_long);
      total)
