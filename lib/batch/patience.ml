type t = {
  cutoff : Cutoff.t option;  (** none: {!impatient} *)
  mutable alone : int;
      (** what an operation took by itself: an average, in [1 / parts] ticks; 0: not known *)
  mutable cheap : bool;
  mutable vain : int;
      (** so many in a row have waited in vain; beyond [in_a_row] also those who then did not wait *)
}

let impatient = { cutoff = None; alone = 0; cheap = false; vain = 0 }
let make cutoff = { impatient with cutoff = Some cutoff }

(* About a microsecond in all: short pauses at first, as whoever is there is as likely to be about to leave. *)
let short = 640
let first_of_short = 40

(* About a millisecond in all. Long pauses from the beginning, too: it costs more to move the structure from processor to processor
   for each operation than to let one of them go on for a while. [weft bench batch_counter batch_veb_insert batch_hash_table_insert
   --domains 2], k ops/s, with 40,000, 160,000 and 640,000 ticks: 19,200, 18,700, 22,300; 1,560, 2,350, 3,130; 1,220, 1,320,
   1,480. Who does something else as well waits no longer for it: an insertion and 0.1, 0.3, 1.2, 3.6 us of work each took 0.59,
   0.72, 0.93, 2.15 us on two domains when nobody was patient, and 0.30, 0.54, 0.81, 2.06 now. *)
let long = 640_000
let first_of_long = 640
let first ~longest = if longest > short then first_of_long else first_of_short

(* What an operation may take, in ticks, and by how much more than one in a batch: about what lining up costs. *)
let dear = 4_000
let margin = 4_000
let parts = 16

(* So many wait in vain, and then so many not at all. *)
let in_a_row = 64
let none_for = 4096
let longest t = if t.cheap && t.vain < in_a_row then long else short

let in_vain t ~longest =
  if longest > short || t.vain >= in_a_row then
    t.vain <- (if t.vain >= in_a_row + none_for then in_a_row - 1 else t.vain + 1)

let judge t cutoff =
  let ticks = t.alone / parts in
  t.cheap <- ticks < dear && ticks - margin < Cutoff.least_in_batches cutoff

(* The owner has yet to leave: nothing is allocated, and there is no loop. *)
let entered t ticks =
  match t.cutoff with
  | Some cutoff when Cutoff.is_measured cutoff ->
      if t.vain < in_a_row then t.vain <- 0;
      let cost = parts * Int.max 1 ticks in
      (* One that was interrupted does not count for much. *)
      t.alone <- (if t.alone = 0 then cost else t.alone + ((Int.min cost (4 * t.alone) - t.alone) / 8));
      judge t cutoff
  | Some _ | None -> ()
