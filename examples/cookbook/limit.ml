(* All downloads are started at once, and four are under way at any time. A fiber that waits is not counted by
   [Weft.Limit], which bounds what runs; what is to be held while waiting is a unit of a semaphore. *)
let connections = Weft.Semaphore.create 4
let open_now = Atomic.make 0
let most = Atomic.make 0

let rec at_least cell n =
  let seen = Atomic.get cell in
  if n > seen && not (Atomic.compare_and_set cell seen n) then at_least cell n

let download page =
  Weft.Semaphore.protect connections (fun () ->
      at_least most (1 + Atomic.fetch_and_add open_now 1);
      Weft.sleep 0.001;
      Atomic.decr open_now;
      page * page)

let () =
  let pages =
    Weft.Scope.run (fun scope ->
        List.init 20 (fun i -> Weft.Scope.async scope (fun () -> download i)) |> List.map Weft.await)
  in
  Printf.printf "%d pages, the last is %d\n" (List.length pages) (List.nth pages 19);
  Printf.printf "never more than four at a time: %b\n" (Atomic.get most <= 4)
