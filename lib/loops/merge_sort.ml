(* Where a range has been sorted to. What is [Away] still is at home too, in some order. *)
type place =
  | Home
  | Away (* in the scratch array *)
  | Falling (* at home and untouched: each element is less than the one before *)

module Make (R : Runs.S) = struct
  module Merge = Merging.Make (R)

  type sort = { order : R.order; home : R.t; scratch : R.t; m : Merging.t }

  let array s = function Away -> s.scratch | Home | Falling -> s.home

  let reverse s first last =
    let swaps from upto =
      for k = from to upto do
        R.swap s.home (first + k) (last - k)
      done
    in
    let pairs = (last - first + 1) / 2 in
    if pairs < 4096 then swaps 0 (pairs - 1) else Loop.blocks ~who:"" ~start:0 ~finish:(pairs - 1) swaps

  let rising s first last = function
    | Falling ->
        reverse s first last;
        Home
    | (Home | Away) as place -> place

  let move_away s first last = Merge.copy s.home first s.scratch first (last - first + 1)
  let move_home s first last = Merge.move_home s.scratch s.home first (last - first + 1)

  let merge_away s first middle last =
    let middle = middle + 1 and last = last + 1 in
    Merge.merge s.m s.order s.home first middle middle last s.scratch first

  (* What has been merged so far lies over elements that are elsewhere in the scratch array. *)
  let merge_home s first middle last =
    try Merge.merge s.m s.order s.scratch first (middle + 1) (middle + 1) (last + 1) s.home first
    with exn ->
      R.put_back s.scratch s.home first (last - first + 1);
      raise exn

  (* Makes one run of two, which are [Away] only if [not away]. *)
  let join s first middle last ~away left right =
    let in_order left right = R.in_order s.order (array s left) middle (array s right) (middle + 1) in
    match (left, right) with
    | Falling, Falling when not (in_order left right) -> Falling
    | _ ->
        let left = rising s first middle left and right = rising s (middle + 1) last right in
        if in_order left right then begin
          if left = Away then move_home s first middle;
          if right = Away then move_home s (middle + 1) last;
          Home
        end
        else if away then begin
          merge_away s first middle last;
          Away
        end
        else begin
          if left = Home then move_away s first middle;
          if right = Home then move_away s (middle + 1) last;
          merge_home s first middle last;
          Home
        end

  let few s ~away first last : place =
    match R.sort_few s.order s.home (if away then s.scratch else s.home) first last with
    | Runs.Rising -> Home
    | Runs.Falling -> Falling
    | Runs.Sorted -> if away then Away else Home

  (* The result is [Away] only if [away]. *)
  let rec sort s first last ~away =
    let n = last - first + 1 in
    (* Comparisons may be so slow that even a few elements are many. *)
    if n <= R.few && (n <= s.m.block || n <= 4) then
      if not (Merging.is_measured s.m n) then few s ~away first last
      else begin
        let before = Tsc.now () in
        let place = few s ~away first last in
        Merging.learn s.m n ~ticks:(Tsc.now () - before);
        place
      end
    else begin
      let middle = first + ((last - first) / 2) in
      if Merging.worth_a_fork s.m n then begin
        let left, right =
          Fork_join.par
            (fun () -> sort s first middle ~away:(not away))
            (fun () -> sort s (middle + 1) last ~away:(not away))
        in
        join s first middle last ~away left right
      end
      else begin
        (* Where nothing forks, requests are seen here. *)
        Current_worker.poll ();
        let left = sort s first middle ~away:(not away) in
        let right = sort s (middle + 1) last ~away:(not away) in
        join s first middle last ~away left right
      end
    end

  let sort m order home =
    let n = R.length home in
    if n > 1 then begin
      Current_worker.poll ();
      let s = { order; home; scratch = R.create home; m } in
      if sort s 0 (n - 1) ~away:false = Falling then reverse s 0 (n - 1)
    end
end
