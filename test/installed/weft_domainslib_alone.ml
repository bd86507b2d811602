module Task = Domainslib.Task

let rec fib pool n =
  if n < 2 then n
  else
    let a = Task.async pool (fun () -> fib pool (n - 1)) in
    let b = fib pool (n - 2) in
    Task.await pool a + b

let () =
  let pool = Task.setup_pool ~num_domains:1 () in
  let result = Task.run pool (fun () -> fib pool 15) in
  Task.teardown_pool pool;
  if result <> 610 then failwith "a task is wrong"
