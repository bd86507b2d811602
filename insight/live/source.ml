open Runtime_events
module Rings = Weft_insight_trace.Rings
module Wire = Weft_trace.Wire

type t = { cursor : cursor; callbacks : Callbacks.t; mutable damaged : string option; meter : Meter.t }

let ns time = Int64.to_int (Timestamp.to_int64 time)

let callbacks meter =
  let runtime_begin ring time phase =
    Meter.phase_begins meter ~ring ~time:(ns time) (runtime_phase_name phase)
  in
  let runtime_end ring time phase = Meter.phase_ends meter ~ring ~time:(ns time) (runtime_phase_name phase) in
  let runtime_counter ring _ counter value =
    match counter with
    | EV_C_MINOR_PROMOTED -> Meter.promoted meter (value / (Sys.word_size / 8))
    | EV_C_MAJOR_HEAP_WORDS -> Meter.heap meter ~ring value
    | _ -> ()
  in
  let lifecycle ring time event _ =
    match event with EV_DOMAIN_TERMINATE -> Meter.domain_ends meter ~ring ~time:(ns time) | _ -> ()
  in
  let lost_events ring words = Meter.lost meter ~ring words in
  Callbacks.create ~runtime_begin ~runtime_end ~runtime_counter ~lifecycle ~lost_events ()
  |> Wire.listen
       ~step:(fun ring time -> Meter.step meter ~ring ~time:(Int64.to_int time))
       ~wake:(fun _ _ -> Meter.wake meter)
       ~ended:(fun ring time span id -> Meter.ended meter ~ring ~time:(Int64.to_int time) span id)
       ~note:(fun ring time -> Meter.note meter ~ring ~time:(Int64.to_int time))
       ~foreign:ignore

let open_ ~dir ~pid meter =
  Result.map
    (fun cursor -> { cursor; callbacks = callbacks meter; meter; damaged = None })
    (Rings.cursor ~dir ~pid)

let most_at_once = 50_000

let read t =
  if Option.is_some t.damaged then 0
  else
    match Rings.read t.cursor t.callbacks ~most:most_at_once with
    | n ->
        if n < most_at_once then Meter.swept t.meter;
        n
    | exception Failure why ->
        t.damaged <- Some why;
        0

let poll t = ignore (read t : int)

(* Not for ever, if the program writes faster. *)
let drain t =
  let rec again rounds = if read t > 0 && rounds > 0 then again (rounds - 1) in
  again 100

let damaged t = t.damaged
let close t = free_cursor t.cursor
