type expectation = Holds of { states : int } | Fails
type t = { model : string; knobs : string list; expectation : expectation; long : bool }

let knobs_of text = List.filter (( <> ) "") (String.split_on_char ' ' text)
let holds model text ~states = { model; knobs = knobs_of text; expectation = Holds { states }; long = false }
let holds_long model text ~states = { (holds model text ~states) with long = true }
let fails model text = { model; knobs = knobs_of text; expectation = Fails; long = false }

(* The figures for [states] lie a little below those measured with Spin 6.5.2. *)
let deque =
  let holds = holds "deque" and holds_long = holds_long "deque" and fails = fails "deque" in
  [
    holds "" ~states:1_400_000;
    holds "LENGTH0=2 FIRST=2" ~states:900_000;
    holds "FENCED" ~states:800_000;
    holds "WEAK POPS=2" ~states:2_300_000;
    holds "WEAK FENCED POPS=2" ~states:1_300_000;
    holds "WEAK PLAIN_BOTTOM PUSHES=2 POPS=2" ~states:370_000;
    fails "NO_BARRIER";
    fails "BARRIER_FIRST";
    fails "FIRST_READ";
    fails "EARLY_RING";
    fails "SLOT_BEFORE_BOTTOM";
    fails "SPLIT_MASK=1";
    fails "SPLIT_MASK=2";
    fails "SPLIT_MASK=1 MASK_FIRST";
    fails "SPLIT_MASK=2 MASK_FIRST";
    fails "PUBLISH_FIRST";
    fails "CLEAR_OLD";
    fails "LATE_GROWTH";
    fails "BOTTOM_FIRST";
    fails "NO_LAST_CAS";
    fails "WEAK PLAIN_RING";
    fails "WEAK PLAIN_BOTTOM";
    fails "WEAK PLAIN_BOTTOM PUSHES=2 POPS=2 SECOND_READ";
    fails "WEAK PLAIN_BOTTOM FENCED";
    holds_long "LENGTH0=2 FIRST=2 STEALS=2" ~states:4_600_000;
    holds_long "SECOND_READ" ~states:3_000_000;
    holds_long "WEAK" ~states:4_800_000;
    holds_long "WEAK FENCED" ~states:2_100_000;
    holds_long "WEAK SECOND_READ" ~states:8_500_000;
    holds_long "WEAK LENGTH0=2 FIRST=2" ~states:2_400_000;
    holds_long "THIEVES=3 LENGTH0=2 FIRST=2" ~states:25_000_000;
    holds_long "THIEVES=3 POPS=2" ~states:21_000_000;
    holds_long "WEAK THIEVES=3 PUSHES=2 POPS=2" ~states:4_900_000;
  ]

let sleep_wake =
  let holds = holds "sleep_wake" and holds_long = holds_long "sleep_wake" and fails = fails "sleep_wake" in
  [
    holds "" ~states:53_000;
    holds "BLOCKING" ~states:41_000;
    holds "PUSHERS=2" ~states:245_000;
    holds "WORKERS=3" ~states:1_000_000;
    holds "WORKERS=3 BLOCKING" ~states:770_000;
    holds "LATE_UNPARK" ~states:60_000;
    holds "CLEAR_TOKEN" ~states:79_000;
    holds "FENCED" ~states:38_000;
    holds "SILENT_LAST" ~states:62_000;
    fails "NO_BARRIER";
    fails "NO_RECHECK";
    fails "RECHECK_FIRST";
    fails "RECHECK_ONE";
    fails "STALE_NEED_WAKE BLOCKING";
    fails "FIRST_SLEEPER";
    fails "SILENT_LAST BLOCKING";
    fails "LOST_TOKEN";
    fails "STALE_TOKEN";
    fails "CLEAR_TOKEN LATE_UNPARK";
    fails "BLIND_REMOVAL BLOCKING";
    fails "DOUBLE_COUNT";
    fails "FENCED NO_OWN_FENCE";
    holds_long "WORKERS=3 PUSHERS=2" ~states:4_200_000;
    holds_long "WORKERS=3 TASKS=3" ~states:7_800_000;
    holds_long "WORKERS=3 TASKS=3 BLOCKING" ~states:5_300_000;
  ]

let all = deque @ sleep_wake
let name c = String.concat " " (c.model :: c.knobs)

let contains text word =
  let n = String.length word in
  let rec from i = i + n <= String.length text && (String.sub text i n = word || from (i + 1)) in
  from 0

let unknown_knobs c ~source =
  let macro knob = List.hd (String.split_on_char '=' knob) in
  List.filter (fun knob -> not (contains source (macro knob))) c.knobs
