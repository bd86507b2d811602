type t = {
  in_place : int;
  batched : int;
  joined : int;
  batches : int;
  parallel : int;
  sizes : int array;
  seconds : float;
  wait_median : float option;
  wait_p99 : float option;
  alone : float option;
  together : float option;
  cutoff : int option;
}

let ratio a b = float_of_int a /. float_of_int b
let mean_batch s = ratio s.batched s.batches
let in_place_share s = ratio s.in_place (s.in_place + s.batched)

(* With fewer operations there is no verdict. *)
let enough = 1_000

let pp_seconds ppf s =
  if s < 1e-6 then Format.fprintf ppf "%.0f ns" (s *. 1e9)
  else if s < 1e-3 then Format.fprintf ppf "%.1f us" (s *. 1e6)
  else if s < 1. then Format.fprintf ppf "%.1f ms" (s *. 1e3)
  else Format.fprintf ppf "%.2f s" s

(* How much the operation of a call must save before joining the list pays, beyond the time for which callers
   of a lock wait for each other: a fiber is suspended and resumed. [weft bench batch_hash_table_insert
   batch_avl_insert --domains 2] shows both: batched against coarse. *)
let joining = 2e-6
let least_saved s = joining *. ratio s.joined s.batched

let verdict s =
  let mean = mean_batch s in
  let costs ppf (alone, together) =
    Format.fprintf ppf "mean batch %.1f: an operation takes %a one by one, %a in a batch" mean pp_seconds
      alone pp_seconds together
  in
  if s.in_place + s.batched < enough then None
  else if in_place_share s > 0.95 then
    Some
      "callers hardly ever join the list: a Mutex does about as well here, or one task that owns the \
       structure"
  else
    match (s.alone, s.together) with
    | Some alone, Some together when together >= alone ->
        Some
          (Format.asprintf "%a: a Mutex is faster here, or one task that owns the structure" costs
             (alone, together))
    | Some alone, Some together when alone -. together < least_saved s ->
        Some
          (Format.asprintf
             "%a, which saves less than it costs to wait for it: submit or exec_many is faster here, or a \
              Mutex"
             costs (alone, together))
    | Some _, Some _ -> None
    | _ when mean < 4. ->
        let instead =
          if 2 * s.joined < s.batched then "submit more operations before you await them"
          else "a Mutex is faster here"
        in
        Some (Printf.sprintf "mean batch %.1f: %s" mean instead)
    | _ when s.parallel = 0 ->
        Some
          (Printf.sprintf
             "mean batch %.1f, and none was worth running in parallel: a Mutex is as fast here, or one task \
              that owns the structure"
             mean)
    | _ -> None

let pp_option pp ppf = function None -> Format.pp_print_string ppf "-" | Some x -> pp ppf x

let pp ppf s =
  Format.fprintf ppf "@[<v>%d operations in place (%.1f %%), %d in %d batches (%d parallel), %a in batches"
    s.in_place
    (if s.in_place + s.batched = 0 then 0. else 100. *. in_place_share s)
    s.batched s.batches s.parallel pp_seconds s.seconds;
  if s.batches > 0 then begin
    Format.fprintf ppf "@,sizes:";
    Array.iteri
      (fun k n ->
        if n > 0 then
          if k = 0 then Format.fprintf ppf " 1: %d" n
          else Format.fprintf ppf " %d-%d: %d" (1 lsl k) ((2 lsl k) - 1) n)
      s.sizes;
    Format.fprintf ppf
      "@,\
       the first of a batch waits %a (median), %a (99th percentile); batches run in parallel from %a on@,\
       an operation takes %a one by one, %a in parallel"
      (pp_option pp_seconds) s.wait_median (pp_option pp_seconds) s.wait_p99 (pp_option Format.pp_print_int)
      s.cutoff (pp_option pp_seconds) s.alone (pp_option pp_seconds) s.together
  end;
  Option.iter (Format.fprintf ppf "@,%s") (verdict s);
  Format.fprintf ppf "@]"
