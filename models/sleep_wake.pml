/*  Workers that sleep, and pushers that wake them with neither a lock nor a fence nor a shared counter on their way.
    Workers that retire, and are respawned; and room for some of them only.

    THE PROTOCOL.  It is lib/scheduler/sleep/README.md. A worker is working, searching or listed (as a sleeper); those who work or
    search are active. A lock guards the list, the count of searchers, that of the active ones, and the room; whoever
    changes one of them sets the wake word before it unlocks: 1 if somebody is listed, nobody searches, and active < room,
    else 0. Every worker has a binary semaphore to wait on: a token given before the wait is not lost.

      push          store the task (it may stay in the store buffer); read the wake word; if it is 1, wake one.
      submit        (from outside the pool) queue the task, with a full fence; wake one; if there was more, and all who search
                    have yet to start, wake another; ensure somebody.
      wake one      lock; if nobody searches, somebody is listed, and active < room, make one of them searching, if
                    possible one that is there; respawn it if it is gone; it is starting then; unlock; give it a token. Who
                    finds the lock taken leaves all this to its holder, and goes on (SOON).
      a worker
        working     takes what lies nearest; if there is nothing, it starts to search (lock; searching + 1; unlock) or,
                    when enough others search, goes to sleep. If active > room, it may step down: it goes to sleep.
        searching   found: lock; searching - 1; keep watch; unlock; hand on; run the task. Not found: go to sleep.
        hand on     if the wake word is 1 now: membarrier; look at every queue; if there is work, wake one.
        sleep       lock; leave the searchers, join the list; unlock ("announce"); membarrier; look at every queue; if there
                    is something, retract: lock; if still listed, and active < room, make oneself searching; unlock. Who
                    is still listed waits for a token; after any wait it sees to the timers, still listed or not, and
                    retracts; if it is still listed then, it waits again.
        retire      (from a wait) let go of the deque, which must be empty; lock; if still listed, and not the last listed
                    one that is there while a watch is needed, be gone; membarrier; if it was the last, and there is a
                    timer now, take that back; else put those who could not be respawned back into the list; unlock; ensure
                    somebody.
      respawn        (under the lock) a new thread takes the deque; if it is starting, and a submitted task is there, it takes that
                    at once: begin, run the task, then see that it has begun. Else: lock; it is not starting any more; unlock; it
                    waits. If no thread can be had, the worker is taken out of the list; who wakes, joins, or looks how the active
                    ones fare may put it back later.
      begin         lock; searching - 1; it is not starting any more; keep watch; if the wake word is 1 now: membarrier; look at
                    every queue; if there is work, wake one; unlock. Who finds the lock taken leaves this to its holder (SOON).
      keep watch    (under the lock) a watch is needed while active >= room or a timer is pending. If it is, and of those who
                    are listed nobody is there, nor is anybody starting, respawn one.
      ensure somebody  if no thread is a worker, and there is work, start one that takes the seat, if that is free.
      join, leave   (of the seat) active + 1, keep watch, and hand on if somebody was put back into the list; or: retract, whatever the room is, then active - 1, keep watch,
                    hand on; then the seat is free; ensure somebody.
      room          lock; change it; if it shrinks, keep watch; unlock; if it grows, hand on.
      close         lock; if nobody is active, and no task lies in a queue, all is done; unlock.
      the spare     who waits while the room is full is woken now and then; if all active ones are blocked, it makes the room
                    larger.
      a timer       is added; then who added it looks, without the lock, whether of those who are listed somebody is there; if
                    not: lock; keep watch; unlock. When it falls due, one of those who wait is given a token, or
                    all, if nobody waits. Who works looks at the timers between two tasks, who waits after each wait.

    A token may be old: a worker whose look found work goes on without the token that a waker is about to give it, so
    the next wait ends at once, with the worker still listed. Hence "if still listed".

    WHY NO TIMER IS LOST.  Another Dekker pair: who adds one stores the timer, then looks for a spare; who retires marks
    itself, then looks at the timers, with a barrier between. (Who is woken keeps watch when it begins to work, later than
    it left the list.)

    WHY NOBODY IS LOST.  A push and an announcement are a Dekker pair: the sleeper stores the wake word, then loads the
    queues; the pusher stores the task, then loads the wake word. The membarrier stands for the fences of both. If
    the task was stored before it, the look finds it; if after, then so comes the pusher's load of the wake word.
    That reads 1, or 0 because somebody searches; and when the last searcher stops, it looks at every queue behind
    a membarrier, too, whether it goes to sleep or hands on. Or 0 because the room is full; then whoever makes it less than
    full looks at every queue behind a membarrier.

    CHECKED.  When nothing can move any more, every task has run, and no timer is pending or due: no state can be reached in
    which a task or a timer waits for ever while all workers are asleep, gone, or blocked in tasks. The counts never fall
    below zero. Nobody becomes active beyond the room, but for the seat's thread. No worker is two threads, or respawned
    twice, or gone with tasks in its deque.

    MEMORY.  Stored tasks become visible at any later time and in any order. So does the wake word, and whether somebody is
    there, but at the latest when somebody takes the lock (an unlock need not be a full fence). A timer is stored by a
    compare-and-set: a full fence, but with FENCED (which is for all processors) it may become visible later.

    KNOBS.
      WORKERS, TASKS   2 or 3 of each; each task lies in a queue of its own
      PUSHERS          1 or 2; they share the tasks, and run none
      OUTSIDE          they submit instead of pushing
      FORKING          they submit task 0 only; who runs it pushes the others to its own deque; a worker that is to step down
                       when it has taken a task puts that back
      BLOCKING         task 0 blocks the worker that runs it until all others have run
      LEAVING          worker 0 may wake up by itself at any time, and may leave the pool for good whenever it has woken up
                       or has run a task
      JOINING          worker 0 joins the pool at any time, or never
      FENCED           the other mode: push has a full fence at its end; each membarrier is a fence of the worker alone
      SC               stores are visible at once: fewer states where they do not matter
      RETIRING         all workers but worker 0, who has the seat, may retire
      SOON             who wakes leaves it to the holder of the lock, if that is taken
      FAILURES         so many times no thread can be had for a worker; if no thread is a worker then, and there is work, one
                       takes the seat
      ROOM             at the beginning; without it, there is always room
      CHANGES          so many times the room grows or shrinks by one
      SPARE            whoever waits makes more room if all active ones are blocked
      CLOSING          with FORKING: a thread asks whether all is done, and must not believe it too early
      TIMER            1: a timer is pending at the beginning. 2: task 0 adds one, and blocks until it has been seen to

    MUTANTS.  Each must be seen to fail.
      NO_BARRIER       no membarrier before the sleeper's look
      NO_LOOK          no look before the wait
      LOOK_FIRST       the look comes before the announcement
      LOOK_ONE         the look is at the first queue only
      FIRST_SLEEPER    the wake word is set by a sleeper only if the list was empty
      LOST_TOKEN       a token given before the wait is lost
      NO_RETRACT       the worker takes every token as a sign that it is a searcher
      BLIND_RETRACT    the worker makes itself searching after the wait though it is not listed any more
      NO_OWN_FENCE     with FENCED: the sleeper has no fence either
      STALE_WORD       the sleeper sets the wake word before it joins the list
    and these, which lose no task while every worker comes back to search, so that they need BLOCKING or LEAVING to fail:
      NO_HAND_ON       the last searcher hands nothing on
      WEAK_HAND_ON     it looks without a membarrier
    Of retiring:
      BLIND_RETIRE     a worker retires though it is not listed any more
      LATE_RETIRE      it lets go of its deque after it has been marked
      FULL_RETIRE      it does not look whether its deque is empty
      GONE_TOKEN       a token is given to one that is gone, and no thread
      GONE_UNLISTED    who retires leaves the list
      ONE_TRY          if no thread can be had for one worker, the next in the list is not tried
      NO_RESIDENT      nobody takes the seat if no thread is a worker
      NO_RETIRE_RESIDENT   ... if the last one has retired
      UNWATCHED        the last that waits retires though a watch is needed
      NO_WATCH         nobody keeps watch who begins to work
      NO_JOIN_WATCH    ... who joins
      NO_LEAVE_WATCH   ... who leaves
      NO_SHRINK_WATCH  ... who makes room smaller
      NO_TIMER_WATCH   ... who adds a timer
      SPARE_FIRST      who adds a timer looks for a spare first
      NO_TIMER_FENCE   with FENCED: who adds a timer has no fence before it looks for a spare
      ONE_LOOK         who retires does not look at the timers again
      WEAK_RETIRE      it does so without a barrier
      STARTS_FOR_EVER  who was respawned to search counts as starting even when it has begun
      LATE_BEGIN       who has taken a task at once begins only when it has run it
      BEGIN_HAND_ON    it begins before, but hands nothing on
      ROOM_WATCH       a watch is needed while the room is full, whatever the timers
      LATE_TIMERS      who waits sees to the timers only after it has retracted
    Of room:
      WAKE_BEYOND      wake one takes no notice of the room
      RETRACT_BEYOND   retract takes no notice of the room
      ROOM_WORD        the wake word is not set when the room changes
      ROOM_HAND_ON     who makes room larger hands nothing on
      LEAVE_HAND_ON    who leaves hands nothing on
      BLIND_STEP       who steps down does not look
      EARLY_CLOSE      who closes looks at the queues first, and asks then whether everybody is listed
*/

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif
#ifndef PUSHERS
#define PUSHERS 1
#endif
#ifndef ROOM
#define ROOM WORKERS
#endif
#ifndef CHANGES
#define CHANGES 0
#endif
#ifndef FAILURES
#define FAILURES 0
#endif
#ifndef TIMER
#define TIMER 0
#endif

/* Sets of tasks and of workers are bits, from 1 << 0 on. */
#define ALL ((1 << TASKS) - 1)
#define BIT(i) (1 << (i))
#define NOBODY 255

/* Memory. */
byte queued = 0;      /* tasks that are visible in a queue */
byte buffered = 0;    /* tasks that are stored, but still in their pusher's store buffer */
byte word = 0;        /* the wake word as all see it */
byte word_stored = 0; /* as the last holder of the lock stored it */

/* Guarded by the lock. */
bool locked = false;
byte searching = 0;
byte listed = 0;
#ifdef JOINING
byte active_ones = WORKERS - 1;
#else
byte active_ones = WORKERS;
#endif
byte room = ROOM;
byte gone = 0;     /* listed or unable, and no thread is this worker */
byte unable = 0;   /* could not be respawned */
byte starting = 0; /* searching, and their new threads have not begun */
#if FAILURES > 0
#ifdef JOINING
byte present = WORKERS - 1; /* workers that a thread is */
#else
byte present = WORKERS;
#endif
#endif
/* Who is respawned finds the tasks that were submitted, not what was pushed to a deque. */
#if defined(RETIRING) && defined(OUTSIDE)
#define AT_ONCE
#endif
#ifdef SOON
/* For whoever holds the lock: so many calls of wake_one; keep watch. */
byte wakes_left = 0;
#if TIMER == 2
bool watch_left = false;
#endif
byte begins_left = 0; /* begin, for each of these */
#ifdef AT_ONCE
bool another_left = false; /* a call of wake_another */
#endif
#endif

byte tokens = 0;
#if defined(LOST_TOKEN) || TIMER > 0
#define WAITING
byte waiting = 0;
#endif

/* Threads. */
byte owned = 0;    /* workers whose deques a thread has */
byte respawned = 0; /* workers whose new threads have not begun */
byte failures = 0;
#ifdef JOINING
bool seated = false;   /* the seat is taken */
#else
bool seated = true;
#endif
bool resident = false; /* for a thread that has not begun */

#define NO_TIMER 0
#define PENDING 1
#define DUE 2
#define SEEN 3
byte timer = (TIMER == 1 -> PENDING : NO_TIMER);
#if TIMER == 2
#define ADDING
bool timer_stored = false; /* it is in its adder's store buffer */
bool spare_seen = true;    /* what is seen of has_spare without the lock */
#endif

/* Of the check, not of the protocol. */
byte ran = 0;
byte blocked = 0;      /* active workers that run a task that blocks */
#ifdef CLOSING
bool submitted = false;
#endif
byte forker = NOBODY;  /* in whose deque the forked tasks lie */

#define full (active_ones >= room)
#define there (listed & ~gone)
#define has_spare (there != 0 || listed == 0)
#define is_timer (timer == PENDING || timer == DUE)
#ifdef FORKING
#define is_deque_empty(w) (forker != w || ((queued | buffered) & ~1) == 0)
#define unless_jobs(w) is_deque_empty(w) ->
#else
#define is_deque_empty(w) true
#define unless_jobs(w)
#endif

active proctype hardware() {
end:
  do
  :: d_step { (buffered & 1) -> buffered = buffered - 1; queued = queued + 1 }
  :: d_step { (buffered & 2) -> buffered = buffered - 2; queued = queued + 2 }
  :: d_step { (buffered & 4) -> buffered = buffered - 4; queued = queued + 4 }
  :: d_step { word != word_stored -> word = word_stored }
#ifdef ADDING
  :: d_step { timer_stored -> timer_stored = false; timer = PENDING }
  :: d_step { spare_seen != has_spare -> spare_seen = has_spare }
#endif
  od
}

/* What is written under the lock. */
inline show_guarded() {
  word = word_stored
#ifdef ADDING
  ; spare_seen = has_spare
#endif
}

inline show_timer() {
#ifdef ADDING
  if
  :: timer_stored -> timer_stored = false; timer = PENDING
  :: else
  fi
#else
  skip
#endif
}

inline lock() {
  d_step { !locked -> locked = true; show_guarded() }
}

inline unlock() {
  locked = false
}

inline set_word() {
  word_stored = (listed != 0 && searching == 0 && !full -> 1 : 0)
#ifdef SC
  ; word = word_stored
#endif
}

inline pusher_fence() {
  d_step { queued = queued | buffered; buffered = 0 }
}

inline worker_fence() {
  d_step { show_guarded() }
}

inline membarrier() {
  d_step { queued = queued | buffered; buffered = 0; show_guarded(); show_timer() }
}

inline barrier() {
#ifdef SC
  skip
#elif defined(FENCED)
  worker_fence()
#else
  membarrier()
#endif
}

inline give_token(who) {
#ifdef LOST_TOKEN
  d_step { if :: waiting & BIT(who) -> tokens = tokens | BIT(who) :: else fi }
#else
  tokens = tokens | BIT(who)
#endif
}

/* --- under the lock --- */

/* Any of a set, into the caller's `woken`. */
inline pick(set) {
  if
  :: (set) & 1 -> woken = 0
  :: (set) & 2 -> woken = 1
#if WORKERS > 2
  :: (set) & 4 -> woken = 2
#endif
  fi
}

/* `woken`, who is gone; if there is no thread for it, it is `NOBODY` then. */
inline respawn() {
  assert(gone & BIT(woken));
  assert(!(owned & BIT(woken)));
  assert(!(respawned & BIT(woken)));
  if
  :: gone = gone - BIT(woken);
    respawned = respawned | BIT(woken)
#if FAILURES > 0
    ; present++
#endif
#if FAILURES > 0
  :: failures < FAILURES ->
    failures++;
    listed = listed - BIT(woken);
    unable = unable | BIT(woken);
    set_word();
    woken = NOBODY
#endif
  fi
}

/* `woken`, or else another one. */
inline summon_one() {
  respawn();
#if FAILURES > 0 && !defined(ONE_TRY)
  do
  :: woken == NOBODY && listed != 0 -> pick(listed); respawn()
  :: else -> break
  od
#endif
}

#ifdef ROOM_WATCH
#define is_watch_needed full
#elif TIMER > 0
#define is_watch_needed (full || is_timer)
#else
#define is_watch_needed full
#endif

inline keep_watch() {
#ifdef RETIRING
  if
  :: !has_spare && starting == 0 && is_watch_needed -> pick(listed); summon_one(); woken = NOBODY
  :: else
  fi
#else
  skip
#endif
}

inline put_back() {
#if FAILURES > 0
  listed = listed | unable; unable = 0
#else
  skip
#endif
}

/* There may be a thread to be had again. */
inline try_the_unable() {
#if FAILURES > 0
  if
  :: unable != 0 -> put_back()
  :: true
  fi
#else
  skip
#endif
}

/* Without the lock: the first look is a hint, the second one is under another lock, the pool's. */
inline ensure_somebody() {
#if FAILURES > 0 && !defined(NO_RESIDENT)
  if
  :: present == 0 ->
    d_step {
      if
      :: !seated && present == 0 && ((queued | buffered) != 0 || is_timer) -> seated = true; resident = true
      :: else
      fi
    }
  :: else
  fi
#else
  skip
#endif
}

/* --- waking --- */

#define BITS(set) (((set) & 1) + (((set) >> 1) & 1) + (((set) >> 2) & 1))

/* Under the lock; `woken` is the caller's, and is to be given a token. */
inline wake_somebody(wanted) {
  atomic {
    if
    :: wanted -> try_the_unable()
    :: else
    fi;
    if
#ifdef WAKE_BEYOND
    :: (wanted) && listed != 0 ->
#else
    :: (wanted) && listed != 0 && !full ->
#endif
      if
      :: there != 0 -> pick(there)
      :: else -> pick(listed)
      fi;
#ifndef GONE_TOKEN
      if
      :: gone & BIT(woken) ->
        summon_one();
        if
        :: woken != NOBODY -> starting = starting | BIT(woken)
        :: else
        fi
      :: else
      fi;
#endif
      if
      :: woken != NOBODY ->
        assert(active_ones < room);
        listed = listed - BIT(woken);
        searching++;
        active_ones++;
        set_word()
      :: else
      fi
    :: else
    fi
  }
}

inline give_it_a_token() {
  if
  :: woken != NOBODY -> give_token(woken); woken = NOBODY
  :: else
  fi
}

inline wake_one() {
#ifdef SOON
  if
  :: atomic { locked -> wakes_left++ }
  ::
#endif
    lock();
    wake_somebody(searching == 0);
    unlock();
    give_it_a_token()
#ifdef SOON
  fi
#endif
}

#ifdef AT_ONCE
inline wake_another() {
  if
  :: starting != 0 ->
#ifdef SOON
    if
    :: atomic { locked -> another_left = true }
    ::
#endif
      lock();
      wake_somebody(searching == BITS(starting));
      unlock();
      give_it_a_token()
#ifdef SOON
    fi
#endif
  :: else
  fi
}
#endif

/* One load for each queue. Sets `seen`. */
inline look() {
  seen = queued & 1;
#ifndef LOOK_ONE
  d_step { seen = seen | (queued & 2) };
#if TASKS > 2
  d_step { seen = seen | (queued & 4) };
#endif
#endif
#ifdef NO_LOOK
  seen = 0
#endif
}

/* Under the lock; then `woken` is to be given a token. If it has begun already, nothing. */
inline begin(who) {
  if
  :: starting & BIT(who) ->
    atomic {
      assert(searching > 0);
      searching--;
      starting = starting - BIT(who);
      set_word();
      keep_watch()
    };
#ifndef BEGIN_HAND_ON
    if
    :: word_stored ->
      barrier();
      look();
      wake_somebody(seen && searching == 0);
      seen = 0
    :: else
    fi
#endif
  :: else
  fi
}

#ifdef SOON
/* Whoever holds the lock, or will hold it; here, at any later time. */
active proctype holder() {
  byte woken = NOBODY;
#ifdef AT_ONCE
  byte beginner = NOBODY, seen = 0;
#endif
end:
  do
  :: d_step { wakes_left > 0 && !locked -> wakes_left--; locked = true; show_guarded() };
    wake_somebody(searching == 0);
    unlock();
    give_it_a_token()
#ifdef ADDING
  :: d_step { watch_left && !locked -> watch_left = false; locked = true; show_guarded() };
    atomic { keep_watch() };
    unlock()
#endif
#ifdef AT_ONCE
  :: d_step {
      begins_left != 0 && !locked ->
      beginner = ((begins_left & 2) -> 1 : 2);
      begins_left = begins_left - BIT(beginner);
      locked = true;
      show_guarded()
    };
    begin(beginner);
    beginner = NOBODY;
    unlock();
    give_it_a_token()
  :: d_step { another_left && !locked -> another_left = false; locked = true; show_guarded() };
    wake_somebody(searching == BITS(starting));
    unlock();
    give_it_a_token()
#endif
  od
}
#endif

inline push(which) {
#ifdef AT_ONCE
  if
  :: queued == 0 -> more = false
  :: more = true
  fi;
#endif
#ifdef SC
  queued = queued | (which);
#else
  buffered = buffered | (which);
#endif
#if defined(FENCED) || defined(OUTSIDE)
  pusher_fence();
#endif
#ifdef OUTSIDE
  seen = 1;
#else
  seen = word;
#endif
  if
  :: seen -> seen = 0; wake_one()
  :: else
  fi;
#ifdef OUTSIDE
#ifdef AT_ONCE
  if
  :: more -> more = false; wake_another()
  :: else
  fi;
#endif
  ensure_somebody()
#endif
}

proctype pusher(byte task) {
  byte woken = NOBODY, seen = 0;
#ifdef AT_ONCE
  bool more = false; /* there was another task before this one was submitted, or it seemed so */
#endif
#ifdef FORKING
  d_step {
    queued = queued | 1;
#ifdef CLOSING
    submitted = true
#endif
  };
  wake_one()
#else
  do
  :: task < TASKS ->
    push(BIT(task));
    task = task + PUSHERS
  :: else -> break
  od
#endif
}

/* Who has changed the word sees its own store, or a later one. */
inline hand_on_now() {
  d_step { word = word_stored; seen = word };
  if
  :: seen ->
#ifndef WEAK_HAND_ON
    barrier();
#endif
    look();
    if
    :: seen -> seen = 0; wake_one()
    :: else
    fi
  :: else
  fi
}

inline hand_on() {
#ifndef NO_HAND_ON
  hand_on_now()
#else
  skip
#endif
}

/* --- a worker's moves --- */

inline start_search() {
  lock();
  d_step { searching++; set_word() };
  unlock()
}

inline stop_search() {
  lock();
  atomic {
    assert(searching > 0);
    searching--;
    set_word();
#ifndef NO_WATCH
    keep_watch()
#endif
  };
  unlock();
  hand_on()
}

inline join_list() {
  if
  :: is_searching -> assert(searching > 0); searching--; is_searching = false
  :: else
  fi;
  assert(active_ones > 0);
  active_ones--;
  listed = listed | BIT(me)
}

inline announce() {
  lock();
  d_step {
#ifdef STALE_WORD
    set_word();
    join_list()
#elif defined(FIRST_SLEEPER)
    if
    :: listed == 0 -> join_list(); set_word()
    :: else -> join_list()
    fi
#else
    join_list();
    set_word()
#endif
  };
  unlock()
}

inline become_searcher() {
  listed = listed & ~BIT(me); searching++; active_ones++; set_word(); is_searching = true
}

/* Afterwards, who is not searching is still listed. */
inline retract(leaving) {
  lock();
  d_step {
    if
    :: listed & BIT(me) ->
#ifdef RETRACT_BEYOND
      assert(!full || leaving);
      become_searcher()
#else
      if
      :: !full || leaving -> become_searcher()
      :: else
      fi
#endif
    :: else ->
#ifdef BLIND_RETRACT
      become_searcher()
#else
      is_searching = true
#endif
    fi
  };
  unlock()
}

inline take_task() {
  if
  :: queued & 1 -> task = 0
  :: queued & 2 -> task = 1
  :: queued & 4 -> task = 2
  fi;
  queued = queued - BIT(task)
}

#ifdef ADDING
#ifdef SC
#define is_spare_seen has_spare
#else
#define is_spare_seen spare_seen
#endif

inline add_timer() {
#ifdef SPARE_FIRST
  seen = is_spare_seen;
#endif
#if defined(FENCED) && !defined(SC)
  timer_stored = true;
#ifndef NO_TIMER_FENCE
  d_step { show_timer() };
#endif
#else
  timer = PENDING;
#endif
#ifndef SPARE_FIRST
  seen = is_spare_seen;
#endif
#ifndef NO_TIMER_WATCH
  if
  :: !seen ->
#ifdef SOON
    if
    :: atomic { locked -> watch_left = true }
    ::
#endif
      lock();
      atomic { keep_watch() };
      unlock()
#ifdef SOON
    fi
#endif
  :: else
  fi;
#endif
  seen = 0
}
#endif

inline run_task() {
#ifdef FORKING
  if
  :: task == 0 -> forker = me; push(ALL - 1)
  :: else
  fi;
#endif
#if TIMER == 2
  if
  :: task == 0 ->
    add_timer();
    blocked++;
    d_step { timer == SEEN -> blocked-- }
  :: else
  fi;
#endif
#ifdef BLOCKING
  if
  :: task == 0 -> blocked++; d_step { (ran & (ALL - 1)) == ALL - 1 -> blocked-- }
  :: else
  fi;
#endif
  d_step { ran = ran | BIT(task); task = 0 }
}

inline see_to_timers() {
#if TIMER > 0
  d_step {
    if
    :: timer == DUE -> timer = SEEN
    :: else
    fi
  }
#else
  skip
#endif
}

inline let_go() {
  d_step { assert(is_deque_empty(me)); owned = owned - BIT(me) }
}

#define is_last ((there & ~BIT(me)) == 0)
#ifdef UNWATCHED
#define may_retire true
#else
#define may_retire !(is_last && is_watch_needed)
#endif

/* Who can retire now, as far as can be seen without the lock. */
#ifdef RETIRING
#ifdef FULL_RETIRE
#define would_retire (me != 0 && !(tokens & BIT(me)) && may_retire)
#else
#define would_retire (me != 0 && !(tokens & BIT(me)) && may_retire && is_deque_empty(me))
#endif
#else
#define would_retire false
#endif

proctype worker(byte me) {
  byte woken = NOBODY, task = 0, seen = 0;
  bool is_searching = false;

#ifdef JOINING
  if
  :: me == 0 ->
    if
#ifndef BLOCKING
    :: goto left
#endif
    :: seated = true; goto join
    fi
  :: else
  fi;
#endif
  owned = owned | BIT(me);

#if defined(JOINING) || FAILURES > 0
  if
  :: false ->
join:
    lock();
    atomic {
      active_ones++;
#if FAILURES > 0
      present++;
#endif
      seen = (unable != 0 -> 1 : 0);
      try_the_unable();
      seen = (unable != 0 -> 0 : seen);
      set_word();
#ifndef NO_JOIN_WATCH
      keep_watch()
#endif
    };
    unlock();
    if
    :: seen -> seen = 0; hand_on()
    :: else
    fi;
    owned = owned | BIT(me)
  :: else
  fi;
#endif

work:
  see_to_timers();
  if
  :: atomic { queued != 0 -> take_task() };
#if defined(FORKING) && (ROOM < WORKERS || CHANGES > 0)
    if
    :: me != 0 && active_ones > room ->
      d_step {
        if
        :: task != 0 -> forker = NOBODY /* it lies in the injector now */
        :: else
        fi;
        queued = queued | BIT(task);
        task = 0
      };
      goto step_down
    :: run_task()
    fi;
#else
    run_task();
#endif
    goto work
  :: unless_jobs(me) start_search(); is_searching = true; goto search
  :: unless_jobs(me) goto sleep
#if ROOM < WORKERS || CHANGES > 0
  :: me != 0 && active_ones > room ->
step_down:
    announce();
#ifdef BLIND_STEP
    goto wait
#else
    goto look_again
#endif
#endif
#ifdef LEAVING
  :: me == 0 && ran != 0 -> goto leave
#endif
  fi;

search: /* it may overlook work */
  if
  :: atomic { queued != 0 -> take_task() };
    is_searching = false;
    stop_search();
    run_task();
    goto work
  :: unless_jobs(me) goto sleep
  fi;

sleep:
#ifdef LOOK_FIRST
  barrier();
  look();
  announce();
  goto looked;
#else
  announce();
#endif
look_again:
#if !defined(NO_BARRIER) && !defined(NO_OWN_FENCE)
  barrier();
#endif
  look();
looked:
  if
  :: seen -> seen = 0; goto again
  :: else
  fi;

wait:
#ifdef WAITING
  waiting = waiting | BIT(me);
#endif
end_wait:
  if
  :: d_step { (tokens & BIT(me)) -> tokens = tokens - BIT(me) }
#ifdef LEAVING
  :: me == 0 -> goto leave_list
#endif
#ifdef SPARE
  :: full && blocked >= room && room < WORKERS ->
    lock();
    d_step {
      if
      :: room < WORKERS -> room++; set_word()
      :: else
      fi
    };
    unlock();
    hand_on_now()
#endif
  :: d_step {
      would_retire ->
#ifdef WAITING
      waiting = waiting - BIT(me);
#endif
      seen = 0
    };
    goto retire
  fi;
#ifdef WAITING
  waiting = waiting & ~BIT(me);
#endif
#ifdef NO_RETRACT
  is_searching = true;
  goto search;
#endif
#ifndef LATE_TIMERS
  see_to_timers();
#endif

again:
  retract(false);
  if
  :: is_searching ->
    see_to_timers();
    goto search
  :: else -> goto wait
  fi;

retire:
#ifndef LATE_RETIRE
  let_go();
#endif
  lock();
  d_step {
    if
#ifdef BLIND_RETIRE
    :: may_retire ->
#else
    :: (listed & BIT(me)) && may_retire ->
#endif
#if TIMER == 0
      gone = gone | BIT(me);
#endif
      seen = 1
    :: else
    fi
  };
#if TIMER > 0
  if
  :: seen ->
    gone = gone | BIT(me);
#ifndef WEAK_RETIRE
    barrier();
#endif
#if !defined(ONE_LOOK) && !defined(UNWATCHED)
    d_step {
      if
      :: there == 0 && is_timer -> gone = gone - BIT(me); seen = 0
      :: else
      fi
    }
#endif
  :: else
  fi;
#endif
  d_step {
    if
    :: seen ->
#ifdef GONE_UNLISTED
      listed = listed & ~BIT(me);
#endif
#if FAILURES > 0
      present--;
#endif
      put_back();
      set_word()
    :: else
    fi
  };
  unlock();
  if
  :: seen ->
    seen = 0;
#ifndef NO_RETIRE_RESIDENT
    ensure_somebody()
#endif
  :: else ->
#ifndef LATE_RETIRE
    owned = owned | BIT(me);
#endif
    goto again
  fi;
#ifdef LATE_RETIRE
  let_go();
#endif
end_gone:
  d_step {
    (respawned & BIT(me)) ->
    respawned = respawned - BIT(me);
    assert(!(owned & BIT(me)));
    owned = owned | BIT(me)
  };
#ifdef AT_ONCE
  if
  :: atomic { (starting & BIT(me)) && queued != 0 -> take_task() };
#ifndef LATE_BEGIN
#ifdef SOON
    if
    :: atomic { locked -> begins_left = begins_left | BIT(me) }
    ::
#endif
      lock();
      begin(me);
      unlock();
      give_it_a_token()
#ifdef SOON
    fi
#endif
    ;
#endif
    run_task();
    lock();
#ifdef SOON
    begins_left = begins_left & ~BIT(me);
#endif
    begin(me);
    unlock();
    give_it_a_token();
    goto work
  :: true
  fi;
#endif
#ifndef STARTS_FOR_EVER
  lock();
  starting = starting & ~BIT(me);
  unlock();
#endif
  goto wait;

#ifdef LEAVING
leave_list:
#ifdef WAITING
  waiting = waiting & ~BIT(me);
#endif
  see_to_timers();
  retract(true);
leave:
  lock();
  atomic {
    if
    :: is_searching -> searching--; is_searching = false
    :: else
    fi;
    active_ones--;
#if FAILURES > 0
    present--;
#endif
    set_word();
#ifndef NO_LEAVE_WATCH
    keep_watch()
#endif
  };
  unlock();
  owned = owned - BIT(me);
#ifndef LEAVE_HAND_ON
  hand_on();
#endif
  seated = false;
  ensure_somebody();
#endif
left:
#if FAILURES > 0
end_left:
  atomic { (me == 0 && resident) -> resident = false };
  goto join
#else
  skip
#endif
}

#ifdef CLOSING
proctype closer() {
  submitted;
#ifdef EARLY_CLOSE
  queued == 0;
  lock();
  if
  :: active_ones == 0 -> assert(ran == ALL)
  :: else
  fi;
#else
  lock();
  if
  :: active_ones == 0 && queued == 0 -> assert(ran == ALL)
  :: else
  fi;
#endif
  unlock()
}
#endif

#if CHANGES > 0
proctype machine() {
  byte woken = NOBODY, seen = 0, left = CHANGES;
  do
  :: left > 0 ->
    left--;
    lock();
    atomic {
      if
      :: room > 1 ->
        room--;
        set_word();
#ifndef NO_SHRINK_WATCH
        keep_watch()
#endif
      :: room < WORKERS ->
        room++;
#ifndef ROOM_WORD
        set_word();
#endif
        seen = 1
      fi
    };
    unlock();
    if
    :: seen ->
      seen = 0;
#ifndef ROOM_HAND_ON
      hand_on_now()
#endif
    :: else
    fi
  :: break
  od
}
#endif

#if TIMER > 0
active proctype alarm() {
  byte woken = NOBODY;
end:
  atomic {
    timer == PENDING ->
    timer = DUE;
    if
    :: waiting != 0 -> pick(waiting); tokens = tokens | BIT(woken)
    :: else -> tokens = (1 << WORKERS) - 1
    fi
  }
}
#endif

active proctype watch() {
  timeout -> assert(ran == ALL && (timer == NO_TIMER || timer == SEEN))
}

init {
  atomic {
    run worker(0);
    run worker(1);
#if WORKERS > 2
    run worker(2);
#endif
    run pusher(0);
#if PUSHERS > 1
    run pusher(1);
#endif
#ifdef CLOSING
    run closer();
#endif
#if CHANGES > 0
    run machine();
#endif
  }
}
