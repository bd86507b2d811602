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
    holds "WEAK FENCED PUSHES=2 POPS=2" ~states:140_000;
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
    holds_long "THIEVES=3 LENGTH0=2 FIRST=2" ~states:25_800_000;
    holds_long "THIEVES=3 POPS=2" ~states:21_000_000;
    holds_long "WEAK THIEVES=3 PUSHES=2 POPS=2" ~states:4_900_000;
  ]

let sleep_wake =
  let holds = holds "sleep_wake" and holds_long = holds_long "sleep_wake" and fails = fails "sleep_wake" in
  [
    holds "" ~states:310_000;
    holds "BLOCKING" ~states:240_000;
    holds "LEAVING" ~states:480_000;
    holds "OUTSIDE BLOCKING" ~states:200_000;
    holds "FENCED" ~states:270_000;
    holds "FENCED BLOCKING" ~states:210_000;
    holds "NO_HAND_ON" ~states:200_000;
    fails "NO_BARRIER";
    fails "NO_LOOK";
    fails "LOOK_FIRST";
    fails "LOOK_ONE";
    fails "FIRST_SLEEPER";
    fails "LOST_TOKEN";
    fails "NO_RETRACT";
    fails "BLIND_RETRACT";
    fails "NO_OWN_FENCE FENCED";
    fails "STALE_WORD";
    fails "NO_HAND_ON BLOCKING";
    fails "NO_HAND_ON LEAVING";
    fails "WEAK_HAND_ON BLOCKING";
    fails "WEAK_HAND_ON LEAVING";
    holds_long "PUSHERS=2" ~states:1_700_000;
    holds_long "WORKERS=3" ~states:13_500_000;
    holds_long "WORKERS=3 BLOCKING" ~states:10_800_000;
    holds_long "WORKERS=3 BLOCKING LEAVING" ~states:18_000_000;
    holds_long "TASKS=3 BLOCKING PUSHERS=2" ~states:11_300_000;
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
