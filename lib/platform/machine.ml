open System_files

(* {1 Processors} *)

(* How many processors a list such as "0-3,8,10-11" names. *)
let count_of_list text =
  let range text =
    match List.map natural (String.split_on_char '-' text) with
    | [ Some _ ] -> Some 1
    | [ Some first; Some last ] when first <= last -> Some (last - first + 1)
    | _ -> None
  in
  let add sum text = Option.bind sum (fun sum -> Option.map (( + ) sum) (range text)) in
  positive (List.fold_left add (Some 0) (String.split_on_char ',' (String.trim text)))

let processors_online ?(root = "/") () = Option.bind (read root "sys/devices/system/cpu/online") count_of_list

let processors_allowed ?(root = "/") ?pid () =
  let process = match pid with Some pid -> string_of_int pid | None -> "self" in
  Option.bind
    (field "Cpus_allowed_list" (read_lines root (Printf.sprintf "proc/%s/status" process)))
    count_of_list

(* The key depends on the architecture: x86, ARM boards, MIPS, POWER, RISC-V. *)
let processor_model ?(root = "/") () =
  let lines = read_lines root "proc/cpuinfo" in
  List.find_map
    (fun key -> non_empty (field key lines))
    [ "model name"; "Model"; "cpu model"; "cpu"; "uarch" ]

type quota = Control_groups.quota = { processors : float; file : string }

let cpu_quota ?(root = "/") () = Control_groups.(quota (look (nothing ~root)))

type limits = Control_groups.limits = { memory : int option; threads : int option }

let this_machine's = Atomic.make None

let limits ?root () =
  match (root, Atomic.get this_machine's) with
  | Some root, _ -> Control_groups.limits ~root
  | None, Some limits -> limits
  | None, None ->
      let limits = Control_groups.limits ~root:"/" in
      Atomic.set this_machine's (Some limits);
      limits

(* {1 System} *)

let kernel_release ?(root = "/") () =
  non_empty (Option.map String.trim (read root "proc/sys/kernel/osrelease"))

(* x86 has a flag for it; where there are no flags, Xen at least tells its name. *)
let virtual_machine ?(root = "/") () =
  match field "flags" (read_lines root "proc/cpuinfo") with
  | Some flags -> Some (List.mem "hypervisor" (words flags))
  | None -> Option.map (fun _ -> true) (read root "sys/hypervisor/type")

type load = { one : float; five : float; fifteen : float }

let load_average ?(root = "/") () =
  match Option.map (fun content -> List.map decimal (words content)) (read root "proc/loadavg") with
  | Some (Some one :: Some five :: Some fifteen :: _) -> Some { one; five; fifteen }
  | _ -> None

type cpu_time = { total : int; steal : int }

(* The numbers after "cpu" are user nice system idle iowait irq softirq steal guest guest_nice; the last
   two are counted in the first two already. *)
let cpu_time ?(root = "/") () =
  let time line =
    match words line with
    | "cpu" :: times -> (
        match naturals (List.filteri (fun i _ -> i < 8) times) with
        | Some ([ _; _; _; _; _; _; _; steal ] as times) ->
            Some { total = List.fold_left ( + ) 0 times; steal }
        | _ -> None)
    | _ -> None
  in
  List.find_map time (read_lines root "proc/stat")

let stolen_share ~before ~after =
  let total = after.total - before.total and steal = after.steal - before.steal in
  if total > 0 && 0 <= steal && steal <= total then Some (float_of_int steal /. float_of_int total) else None

(* {1 Number of domains} *)

type limit = Allowed | Quota of quota | Recommended

(* Defined for every quota: [natural] takes no number that a conversion to [int] could not hold. *)
let round_up processors = int_of_float (Float.ceil processors)

let default_limit ?root ?recommended () =
  let recommended =
    match recommended with Some count -> count | None -> Domain.recommended_domain_count ()
  in
  let allowed = Option.map (fun count -> (count, Allowed)) (processors_allowed ?root ()) in
  let quota = Option.map (fun quota -> (round_up quota.processors, Quota quota)) (cpu_quota ?root ()) in
  let unless_less candidate other =
    match candidate with Some candidate when fst candidate <= fst other -> candidate | _ -> other
  in
  let count, limit = (recommended, Recommended) |> unless_less quota |> unless_less allowed in
  (max 1 count, limit)

let default_domains ?root ?recommended () = fst (default_limit ?root ?recommended ())

(* {1 Processors now} *)

external allowed_to_threads : unit -> int = "weft_allowed_to_threads" [@@noalloc]

type processors = { count : int; share : float }

(* What the last call found out, below the root that it was about. Two calls at once may each keep their
   own: both are new. *)
type known = { groups : Control_groups.view; allowed : int }

let known = Atomic.make ("/", { groups = Control_groups.nothing ~root:"/"; allowed = 0 })

let known_of root =
  match Atomic.get known with
  | same, known when same = root -> known
  | _ -> { groups = Control_groups.nothing ~root; allowed = 0 }

let allowed_now root =
  match if root = "/" then positive (Some (allowed_to_threads ())) else None with
  | None -> processors_allowed ~root ()
  | known -> known

let processors_now ?(root = "/") () =
  let before = known_of root in
  let groups = Control_groups.look before.groups in
  let allowed = Option.value (allowed_now root) ~default:before.allowed in
  Atomic.set known (root, { groups; allowed });
  let allowed = if allowed > 0 then allowed else max 1 (Domain.recommended_domain_count ()) in
  match Control_groups.quota groups with
  | Some { processors; _ } when processors < float_of_int allowed ->
      { count = max 1 (round_up processors); share = processors }
  | _ -> { count = allowed; share = float_of_int allowed }

let allowed_processors ?(root = "/") () =
  let count =
    match allowed_now root with
    | Some count when count > 0 -> count
    | Some _ | None -> max 1 (Domain.recommended_domain_count ())
  in
  { count; share = float_of_int count }

(* {1 The environment} *)

let max_domains = 128

let count_from_env ~variable ~most = function
  | None | Some "" -> Ok None
  | Some text -> (
      match natural (String.trim text) with
      | Some count when 1 <= count && count <= most -> Ok (Some count)
      | _ ->
          Error
            (Printf.sprintf "%s=%s is ignored: it must be a number from 1 to %d" variable
               (String.escaped text) most))

let domains_from_env = count_from_env ~variable:"WEFT_DOMAINS" ~most:max_domains
let max_processors = 1024
let processors_from_env = count_from_env ~variable:"WEFT_PROCESSORS" ~most:max_processors

external handles_signals : unit -> bool = "weft_handles_signals" [@@noalloc]
