(** To do the first of several operations that can be done.

    {[
      Weft.Select.select
        [
          Weft.Select.recv requests (fun r -> serve r);
          Weft.Select.await stopped (fun () -> finish ());
          Weft.Select.timeout 30. (fun () -> look_around ());
        ]
    ]}

    A select does exactly one of its cases, the first that can be done, and then calls that case's function.
    The others have no effect, and leave nothing behind: no place in a queue, no callback on a promise. If
    several can be done at once, one of them is picked at random, each with the same probability; or the first
    of the list, with {!select_in_order}.

    A select that must wait joins the queue of each channel, lock and so on, behind those that came before it,
    and nobody overtakes it there. Two selects may serve each other, over any channels in any order.

    {b Waiting.} As in all of Weft, a fiber is suspended; outside a pool the calling thread is blocked. A wait
    ends with [Cancel.Cancelled] when its fiber is cancelled; then no case has been done.

    {b Cost.} To make a case is O(1) ({!recv}, {!send}, {!await}, {!lock}, {!ivar}, {!latch}, {!take}, {!put},
    {!read}, {!acquire}, {!condition}, {!timeout}, {!wrap}, {!guard}, {!always}, {!never}). {!select} and
    {!select_in_order} are O(n) for n cases if one can be done at once, else O(n log n). {!try_select},
    {!try_select_in_order}, {!poll} and {!poll_in_order} are always O(n log n). If a case can be done at once,
    a select costs as much as that operation, and some tens of nanoseconds more per case. If it must wait,
    each case adds twice as much. Signal handlers must not call it. *)

type +'a case
(** An operation, and a function that is called after it and gives an ['a]. Making a case does nothing yet; a
    case may be used any number of times. *)

(** {1 Cases} *)

val recv : 'a Chan.t -> ('a -> 'b) -> 'b case
(** [recv c f] receives a message [v] from [c], then calls [f v]. If [c] is closed and empty, the case can be
    done: it raises {!Chan.Closed}. *)

val send : 'a Chan.t -> 'a -> (unit -> 'b) -> 'b case
(** [send c v f] sends [v] into [c], then calls [f ()]. If [c] is closed, the case can be done: it raises
    {!Chan.Closed}. *)

val await : 'a Promise.t -> ('a -> 'b) -> 'b case
(** [await p f] can be done when [p] is settled, with [v]; then it calls [f v]. If [p] is settled with an
    exception, the case can be done: it raises that exception. A task that has not started is not run in
    place: it waits for a worker. *)

val lock : Fiber_mutex.t -> (unit -> 'a) -> 'a case
(** [lock m f] locks the mutex [m], then calls [f ()], with [m] held; it stays locked afterwards, so [f]
    should unlock it. A select that has to wait raises [Invalid_argument] if the caller holds [m] already. *)

val ivar : 'a Ivar.t -> ('a -> 'b) -> 'b case
(** [ivar i f] can be done when [i] is full, with [v]; then it calls [f v]. *)

val latch : Latch.t -> (unit -> 'a) -> 'a case
(** [latch l f] can be done when [l] is open; then it calls [f ()]. *)

val take : 'a Mvar.t -> ('a -> 'b) -> 'b case
(** [take m f] takes the value [v] out of [m], then calls [f v]. *)

val put : 'a Mvar.t -> 'a -> (unit -> 'b) -> 'b case
(** [put m v f] puts [v] into [m], then calls [f ()]. *)

val read : 'a Mvar.t -> ('a -> 'b) -> 'b case
(** [read m f] can be done when there is a value [v] in [m], which stays there; then it calls [f v]. *)

val acquire : Fiber_semaphore.t -> (unit -> 'a) -> 'a case
(** [acquire s f] takes a unit of [s], then calls [f ()], which should release it. *)

val condition : Fiber_condition.t -> Fiber_mutex.t -> (unit -> 'a) -> 'a case
(** [condition c m f] waits until [c] is signalled, then calls [f ()]. It can never be done at once. The
    caller holds [m]. A select that has to wait unlocks [m] once it is in all queues, and locks it again when
    it has been served, by whichever case. So [m] is held when a function of a case is called, and when the
    select returns or raises. As with {!Weft.Condition.wait}, look again at what the signal tells of. With a
    {!timeout} of 0 it does not wait, so [m] is never unlocked. A {!lock} beside it is won before [m] is
    locked again: whoever locks both in the other order may deadlock with this one.
    @raise Invalid_argument (by {!select}, {!poll}) if the caller does not hold [m]. *)

val timeout : float -> (unit -> 'a) -> 'a case
(** [timeout s f] calls [f ()] if no other case could be done within [s] seconds; if [s] is 0 or less, if none
    could be done at once. If there are several timeouts, the shortest counts.
    @raise Invalid_argument if [s] is nan. *)

(** {1 Making cases of cases} *)

val wrap : 'a case -> ('a -> 'b) -> 'b case
(** [wrap c f] does [c], then calls [f] with the result of its function. *)

val guard : (unit -> 'a case) -> 'a case
(** [guard f] is the case [f ()], made anew by each select before it looks at its cases. If [f] raises, so
    does the select, and no case has been done. *)

val always : 'a -> 'a case
(** [always v] can be done at once, and is [v]. At the end of the list of {!select_in_order}, it is what is
    done if nothing else can be done now. *)

val never : 'a case
(** [never] can never be done: for a case that is switched off. *)

(** {1 Selecting} *)

val select : 'a case list -> 'a
(** [select cases] waits until one of [cases] can be done, does it, and is the result of its function.
    @raise Invalid_argument if [cases] is empty. *)

val select_in_order : 'a case list -> 'a
(** [select_in_order cases] is like [select cases], but if several can be done at once, it does the first of
    the list. Once it waits, it does the one that can be done first.
    @raise Invalid_argument if [cases] is empty. *)

val try_select : 'a case list -> 'a option
(** [try_select cases] is [Some (select cases)] if one of the cases can be done now, timeouts aside; else
    [None]. Never waits; [None] for [[]]. *)

val try_select_in_order : 'a case list -> 'a option
(** [try_select_in_order cases] is like [try_select cases], but does the first case of the list that can be
    done now. *)

val poll : 'a case list -> 'a option
(** The same as {!try_select}. *)

val poll_in_order : 'a case list -> 'a option
(** The same as {!try_select_in_order}. *)
