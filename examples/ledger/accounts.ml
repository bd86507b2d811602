type t = int Atomic.t array

let make n = Array.init n (fun _ -> Atomic.make 0)
let add account amount = ignore (Atomic.fetch_and_add account amount : int)

let book t { Transfer.from; into; amount } =
  let n = Array.length t in
  if from >= n || into >= n then
    Error (Printf.sprintf "a transfer from account %d to account %d, and there are only %d" from into n)
  else begin
    add t.(from) (-amount);
    add t.(into) amount;
    Ok ()
  end

let sum t = Array.fold_left (fun sum account -> sum + Atomic.get account) 0 t
let equal t u = Array.map Atomic.get t = Array.map Atomic.get u
