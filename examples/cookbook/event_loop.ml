(* A task that owns its state and reacts to whatever comes first. Nobody else touches the balance, so it needs no lock. *)
module Chan = Weft.Chan
module Select = Weft.Select

type account = {
  deposits : int Chan.t;
  withdrawals : (int * bool Weft.Ivar.t) Chan.t;
  closing : int Weft.Ivar.t Chan.t;
}

let rec serve account balance =
  let next =
    Select.select
      [
        Select.recv account.deposits (fun sum -> `Balance (balance + sum));
        Select.recv account.withdrawals (fun (sum, granted) ->
            Weft.Ivar.fill granted (sum <= balance);
            `Balance (if sum <= balance then balance - sum else balance));
        Select.recv account.closing (fun last -> `Close last);
      ]
  in
  match next with `Balance balance -> serve account balance | `Close last -> Weft.Ivar.fill last balance

let ask channel make =
  let reply = Weft.Ivar.create () in
  Chan.send channel (make reply);
  Weft.Ivar.read reply

let () =
  (* A rendezvous: whoever has sent a message knows that it has been taken. *)
  let account = { deposits = Chan.bounded 0; withdrawals = Chan.bounded 0; closing = Chan.bounded 0 } in
  Weft.Scope.run (fun scope ->
      Weft.Scope.start scope (fun () -> serve account 0);
      Weft.parallel_for ~start:1 ~finish:100 ~body:(fun _ -> Chan.send account.deposits 10) ();
      let withdraw sum = ask account.withdrawals (fun granted -> (sum, granted)) in
      let granted = withdraw 600 in
      Printf.printf "600: %b\n" granted;
      let granted = withdraw 600 in
      Printf.printf "600 more: %b\n" granted;
      Printf.printf "left: %d\n" (ask account.closing Fun.id))
