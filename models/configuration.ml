type expectation = Holds of { states : int } | Fails
type t = { model : string; knobs : string list; expectation : expectation; long : bool }

let knobs_of text = List.filter (( <> ) "") (String.split_on_char ' ' text)
let holds model text ~states = { model; knobs = knobs_of text; expectation = Holds { states }; long = false }
let holds_long model text ~states = { (holds model text ~states) with long = true }
let fails model text = { model; knobs = knobs_of text; expectation = Fails; long = false }
let fails_long model text = { (fails model text) with long = true }

(* The figures for [states] lie a little below those measured with Spin 6.5.2. *)
let deque =
  let holds = holds "deque" and holds_long = holds_long "deque" in
  let fails = fails "deque" and fails_long = fails_long "deque" in
  [
    holds "" ~states:1_400_000;
    holds "LENGTH0=2 FIRST=2" ~states:900_000;
    holds "FENCED" ~states:800_000;
    holds "WEAK FENCED PUSHES=2 POPS=2" ~states:140_000;
    holds "WEAK PLAIN_BOTTOM PUSHES=2 POPS=2" ~states:370_000;
    fails "NO_BARRIER";
    fails "BARRIER_FIRST";
    fails "FIRST_READ";
    fails "EARLY_RING";
    fails "SLOT_BEFORE_BOTTOM";
    fails "SPLIT_MASK=1";
    fails_long "SPLIT_MASK=2";
    fails_long "SPLIT_MASK=1 MASK_FIRST";
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
    holds_long "WEAK POPS=2" ~states:2_300_000;
    holds_long "WEAK" ~states:4_800_000;
    holds_long "WEAK FENCED" ~states:2_100_000;
    holds_long "WEAK SECOND_READ" ~states:8_500_000;
    holds_long "WEAK LENGTH0=2 FIRST=2" ~states:2_400_000;
    holds_long "THIEVES=3 LENGTH0=2 FIRST=2" ~states:25_800_000;
    holds_long "THIEVES=3 POPS=2" ~states:21_000_000;
    holds_long "WEAK THIEVES=3 PUSHES=2 POPS=2" ~states:4_900_000;
  ]

let ask =
  let holds = holds "ask" and holds_long = holds_long "ask" and fails = fails "ask" in
  [
    holds "ASKS=1" ~states:1_800_000;
    holds "THIEVES=1" ~states:104_000;
    fails "READ_AND_CLEAR";
    fails "BLIND_WITHDRAWAL";
    fails "NO_WAIT";
    fails "LATE_REPLY";
    fails "EARLY_INTERRUPT";
    fails "LATE_CLEAR";
    fails "EARLY_ANSWER";
    fails "SWALLOW";
    fails "STORE_FLAG";
    fails "NO_CAS";
    holds_long "" ~states:10_100_000;
    holds_long "LIVES=1 TICKS=2" ~states:5_600_000;
  ]

let sleep_wake =
  let holds = holds "sleep_wake" and holds_long = holds_long "sleep_wake" and fails = fails "sleep_wake" in
  [
    holds "" ~states:330_000;
    holds "BLOCKING" ~states:270_000;
    holds "LEAVING" ~states:540_000;
    holds "OUTSIDE BLOCKING" ~states:220_000;
    holds "FENCED" ~states:290_000;
    holds "FENCED BLOCKING" ~states:230_000;
    holds "NO_HAND_ON" ~states:220_000;
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

(* Of the same model: workers that retire, and room. *)
let retiring =
  let holds = holds "sleep_wake" and holds_long = holds_long "sleep_wake" in
  let fails = fails "sleep_wake" and fails_long = fails_long "sleep_wake" in
  [
    holds "RETIRING JOINING LEAVING SC" ~states:350_000;
    holds "RETIRING TIMER=2 ROOM=1 SC" ~states:250_000;
    holds "RETIRING FENCED" ~states:350_000;
    holds "RETIRING TIMER=2 TASKS=1 FENCED" ~states:150_000;
    holds "RETIRING JOINING OUTSIDE FAILURES=1 SOON TASKS=1 SC" ~states:780_000;
    holds "RETIRING OUTSIDE BLOCKING SC" ~states:400_000;
    fails "BLIND_RETIRE RETIRING SC";
    fails "LATE_RETIRE RETIRING SC";
    fails "FULL_RETIRE RETIRING FORKING CHANGES=1 SC";
    fails "GONE_TOKEN RETIRING SC";
    fails "UNWATCHED RETIRING BLOCKING ROOM=1 SPARE SC";
    fails "NO_WATCH RETIRING BLOCKING ROOM=1 SPARE SC";
    fails "NO_JOIN_WATCH RETIRING BLOCKING ROOM=1 SPARE JOINING SC";
    fails "NO_LEAVE_WATCH RETIRING BLOCKING ROOM=1 SPARE LEAVING FORKING WORKERS=3 SC";
    fails "NO_SHRINK_WATCH RETIRING BLOCKING CHANGES=1 SPARE FORKING SC";
    fails "ROOM_WATCH RETIRING TIMER=2 SC";
    fails "LATE_TIMERS RETIRING TIMER=2 ROOM=1 SC";
    fails "SPARE_FIRST RETIRING TIMER=2 SC";
    fails "ONE_LOOK RETIRING TIMER=2 SC";
    fails "WEAK_RETIRE RETIRING TIMER=2";
    fails "WEAK_RETIRE RETIRING TIMER=2 FENCED";
    fails "NO_TIMER_FENCE RETIRING TIMER=2 FENCED";
    fails "STARTS_FOR_EVER RETIRING TIMER=2 SC";
    fails "NO_RETIRE_RESIDENT RETIRING JOINING OUTSIDE FAILURES=1 SOON TASKS=1 SC";
    fails "LATE_BEGIN RETIRING OUTSIDE BLOCKING SC";
    fails "BEGIN_HAND_ON RETIRING OUTSIDE BLOCKING SC";
    holds_long "RETIRING JOINING LEAVING" ~states:700_000;
    holds_long "RETIRING BLOCKING" ~states:310_000;
    holds_long "RETIRING JOINING LEAVING OUTSIDE FAILURES=2 SC" ~states:5_300_000;
    holds_long "RETIRING TIMER=1 JOINING SC" ~states:1_300_000;
    holds_long "RETIRING JOINING OUTSIDE FAILURES=1 SC" ~states:1_700_000;
    holds_long "RETIRING TIMER=2 SC" ~states:630_000;
    holds_long "RETIRING TIMER=2 FENCED" ~states:1_100_000;
    holds_long "RETIRING TIMER=2" ~states:1_190_000;
    holds_long "RETIRING TIMER=2 SOON SC" ~states:5_900_000;
    holds_long "RETIRING TIMER=2 SOON FENCED" ~states:9_800_000;
    holds_long "RETIRING TIMER=1 JOINING LEAVING OUTSIDE FAILURES=1 TASKS=1 SC" ~states:3_300_000;
    holds_long "RETIRING JOINING OUTSIDE FAILURES=1 SOON SC" ~states:14_600_000;
    holds_long "RETIRING JOINING LEAVING OUTSIDE FAILURES=2 SOON TASKS=1 SC" ~states:2_100_000;
    holds_long "RETIRING BLOCKING SOON FENCED" ~states:1_390_000;
    holds_long "RETIRING OUTSIDE BLOCKING SOON SC" ~states:3_600_000;
    holds_long "SOON" ~states:1_480_000;
    holds_long "SOON LEAVING SC" ~states:1_480_000;
    holds_long "RETIRING BLOCKING FORKING WORKERS=3 FAILURES=1 SC" ~states:4_900_000;
    fails_long "GONE_UNLISTED RETIRING JOINING SC";
    fails_long "ONE_TRY RETIRING BLOCKING FORKING WORKERS=3 FAILURES=1 SC";
    fails_long "NO_RESIDENT RETIRING JOINING OUTSIDE FAILURES=1 SC";
    fails_long "UNWATCHED RETIRING TIMER=1 JOINING SC";
    fails_long "NO_TIMER_WATCH RETIRING TIMER=2 SC";
  ]

let room =
  let holds = holds "sleep_wake" and holds_long = holds_long "sleep_wake" in
  let fails = fails "sleep_wake" in
  [
    holds "ROOM=1 LEAVING" ~states:350_000;
    holds "ROOM=1 BLOCKING SPARE RETIRING" ~states:210_000;
    holds "CHANGES=1 BLOCKING SPARE RETIRING FORKING" ~states:410_000;
    fails "WAKE_BEYOND ROOM=1 SC";
    fails "RETRACT_BEYOND ROOM=1 SC";
    fails "ROOM_WORD ROOM=1 CHANGES=1 BLOCKING FORKING SC";
    fails "ROOM_HAND_ON ROOM=1 CHANGES=1 BLOCKING FORKING SC";
    fails "LEAVE_HAND_ON ROOM=1 LEAVING SC";
    fails "BLIND_STEP ROOM=1 SC";
    fails "EARLY_CLOSE CLOSING CHANGES=1 FORKING SC";
    holds_long "ROOM=1 BLOCKING SPARE RETIRING JOINING" ~states:270_000;
    holds_long "CHANGES=1" ~states:1_300_000;
    holds_long "CHANGES=1 BLOCKING SPARE RETIRING SC" ~states:700_000;
    holds_long "CHANGES=1 FORKING CLOSING SC" ~states:820_000;
    holds_long "CHANGES=2 RETIRING FORKING" ~states:3_200_000;
    holds_long "ROOM=1 BLOCKING SPARE RETIRING LEAVING FORKING WORKERS=3 SC" ~states:18_000_000;
  ]

let all = deque @ ask @ sleep_wake @ retiring @ room
let name c = String.concat " " (c.model :: c.knobs)

let contains text word =
  let n = String.length word in
  let rec from i = i + n <= String.length text && (String.sub text i n = word || from (i + 1)) in
  from 0

let unknown_knobs c ~source =
  let macro knob = List.hd (String.split_on_char '=' knob) in
  List.filter (fun knob -> not (contains source (macro knob))) c.knobs
