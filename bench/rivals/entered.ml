module type S = sig
  include Rival.S

  val contestant : Weft_bench_harness.Contestant.t
  val here : unit -> pool
end

module Make (R : Rival.S) = struct
  include R

  let pool = ref None

  let inside ~domains f =
    R.run ~domains (fun entered ->
        pool := Some entered;
        Fun.protect ~finally:(fun () -> pool := None) f)

  let contestant : Weft_bench_harness.Contestant.t = { name = R.name; doc = R.doc; role = Contender; inside }

  let here () =
    match !pool with Some pool -> pool | None -> invalid_arg (R.name ^ ": no run of this rival is under way")
end
