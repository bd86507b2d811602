module Task = struct
  type 'a task = unit -> 'a
  type !'a promise = 'a Weft.promise

  let setup_pool ?name ~num_domains () =
    if num_domains < 0 then invalid_arg "Task.setup_pool: num_domains must be at least 0";
    Weft_domainslib_pool.setup ~who:"Domainslib.Task.setup_pool" ?name num_domains

  include Weft_domainslib_task
end

module Chan = struct
  type !'a t = 'a Weft.Chan.t

  let make_bounded n = if n < 0 then invalid_arg "Chan.make_bounded" else Weft.Chan.bounded n
  let make_unbounded = Weft.Chan.unbounded

  (* Without the optional argument of Weft's function, which would cost an allocation or a closure here. *)
  let send c v = Weft.Chan.send c v
  let send_poll = Weft.Chan.send_poll
  let recv c = Weft.Chan.recv c
  let recv_poll = Weft.Chan.recv_poll
end
