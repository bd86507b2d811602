/*  Workers that sleep, and pushers that wake them with neither a lock nor a fence nor a shared counter on their way.

    THE PROTOCOL.  A worker is working, searching or listed (as a sleeper). A lock guards the list and the count of
    searchers, and whoever changes them sets the wake word before it unlocks: 1 if somebody is listed and nobody
    searches, else 0. Every worker has a binary semaphore to wait on: a token given before the wait is not lost.

      push          store the task (it may stay in the store buffer); read the wake word; if it is 1, wake one.
      submit        (from outside the pool) queue the task, with a full fence; wake one.
      wake one      lock; if nobody searches and somebody is listed, make one of them searching; unlock; give it a token.
      a worker
        working     takes what lies nearest; if there is nothing, it starts to search (lock; searching + 1; unlock) or,
                    when enough others search, goes to sleep.
        searching   found: lock; searching - 1; unlock; hand on; run the task. Not found: go to sleep.
        hand on     if the wake word is 1 now: membarrier; look at every queue; if there is work, wake one.
        sleep       lock; leave the searchers, join the list; unlock ("announce"); membarrier; look at every queue; if there
                    is nothing, wait for a token. Then, in any case, retract: lock; if still listed, make oneself
                    searching; unlock. Search.

    A token may be old: a worker whose look found work goes on without the token that a waker is about to give it, so
    the next wait ends at once, with the worker still listed. Hence "if still listed".

    WHY NOBODY IS LOST.  A push and an announcement are a Dekker pair: the sleeper stores the wake word, then loads the
    queues; the pusher stores the task, then loads the wake word. The membarrier stands for the fences of both. If
    the task was stored before it, the look finds it; if after, then so comes the pusher's load of the wake word.
    That reads 1, or 0 because somebody searches; and when the last searcher stops, it looks at every queue behind
    a membarrier, too, whether it goes to sleep or hands on.

    CHECKED.  When nothing can move any more, every task has run: no state can be reached in which a task waits for ever
    while all workers are asleep or blocked in tasks. The count of searchers never falls below zero.

    MEMORY.  Stored tasks become visible at any later time and in any order. So does the wake word, but at the latest
    when somebody takes the lock (an unlock need not be a full fence).

    KNOBS.
      WORKERS, TASKS   2 or 3 of each; each task lies in a queue of its own
      PUSHERS          1 or 2; they share the tasks, and run none
      OUTSIDE          they submit instead of pushing
      BLOCKING         task 0 blocks the worker that runs it until all others have run
      LEAVING          worker 0 may wake up by itself at any time, and may leave the pool for good whenever it has woken up
      FENCED           the other mode: push has a full fence at its end; each membarrier is a fence of the worker alone

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

byte tokens = 0;
#ifdef LOST_TOKEN
byte waiting = 0;
#endif

/* Of the check, not of the protocol. */
byte ran = 0;

active proctype hardware() {
end:
  do
  :: d_step { (buffered & 1) -> buffered = buffered - 1; queued = queued + 1 }
  :: d_step { (buffered & 2) -> buffered = buffered - 2; queued = queued + 2 }
  :: d_step { (buffered & 4) -> buffered = buffered - 4; queued = queued + 4 }
  :: d_step { word != word_stored -> word = word_stored }
  od
}

inline lock() {
  d_step { !locked -> locked = true; word = word_stored }
}

inline unlock() {
  locked = false
}

inline set_word() {
  word_stored = (listed != 0 && searching == 0 -> 1 : 0)
}

inline pusher_fence() {
  d_step { queued = queued | buffered; buffered = 0 }
}

inline worker_fence() {
  word = word_stored
}

inline membarrier() {
  d_step { queued = queued | buffered; buffered = 0; word = word_stored }
}

inline barrier() {
#ifdef FENCED
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

/* `woken` is the caller's. */
inline wake_one() {
  lock();
  atomic {
    if
    :: searching == 0 && listed != 0 ->
      if
      :: listed & 1 -> woken = 0
      :: listed & 2 -> woken = 1
      :: listed & 4 -> woken = 2
      fi;
      listed = listed - BIT(woken);
      searching++;
      set_word()
    :: else
    fi
  };
  unlock();
  if
  :: woken != NOBODY -> give_token(woken); woken = NOBODY
  :: else
  fi
}

proctype pusher(byte task) {
  byte woken = NOBODY, seen = 0;
  do
  :: task < TASKS ->
    buffered = buffered | BIT(task);
#if defined(FENCED) || defined(OUTSIDE)
    pusher_fence();
#endif
#ifdef OUTSIDE
    seen = 1;
#else
    seen = word;
#endif
    if
    :: seen -> wake_one()
    :: else
    fi;
    d_step { seen = 0; task = task + PUSHERS }
  :: else -> break
  od
}

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

/* A worker sees its own store of the wake word, or a later one. */
inline hand_on() {
#ifndef NO_HAND_ON
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
#else
  skip
#endif
}

inline start_search() {
  lock();
  d_step { searching++; set_word() };
  unlock()
}

inline stop_search() {
  lock();
  d_step { assert(searching > 0); searching--; set_word() };
  unlock();
  hand_on()
}

inline join_list() {
  if
  :: is_searching -> assert(searching > 0); searching--; is_searching = false
  :: else
  fi;
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

inline retract() {
#ifndef NO_RETRACT
  lock();
  d_step {
    if
    :: listed & BIT(me) -> listed = listed - BIT(me); searching++; set_word()
    :: else ->
#ifdef BLIND_RETRACT
      searching++; set_word()
#endif
    fi
  };
  unlock();
#endif
  is_searching = true
}

inline take_task() {
  if
  :: queued & 1 -> task = 0
  :: queued & 2 -> task = 1
  :: queued & 4 -> task = 2
  fi;
  queued = queued - BIT(task)
}

inline run_task() {
#ifdef BLOCKING
  if
  :: task == 0 -> (ran & (ALL - 1)) == ALL - 1
  :: else
  fi;
#endif
  d_step { ran = ran | BIT(task); task = 0 }
}

proctype worker(byte me) {
  byte woken = NOBODY, task = 0, seen = 0;
  bool is_searching = false;

work:
  if
  :: atomic { queued != 0 -> take_task() }; run_task(); goto work
  :: start_search(); is_searching = true; goto search
  :: goto sleep
  fi;

search: /* it may overlook work */
  if
  :: atomic { queued != 0 -> take_task() };
    is_searching = false;
    stop_search();
    run_task();
    goto work
  :: goto sleep
  fi;

sleep:
#ifdef LOOK_FIRST
  barrier();
  look();
  announce();
#else
  announce();
#if !defined(NO_BARRIER) && !defined(NO_OWN_FENCE)
  barrier();
#endif
  look();
#endif
  if
  :: seen -> seen = 0
#ifdef NO_RETRACT
    ; lock();
    d_step {
      if
      :: listed & BIT(me) -> listed = listed - BIT(me); searching++; set_word()
      :: else
      fi
    };
    unlock()
#endif
  :: else ->
#ifdef LOST_TOKEN
    waiting = waiting | BIT(me);
#endif
end_wait:
    if
    :: d_step { (tokens & BIT(me)) -> tokens = tokens - BIT(me) }
#ifdef LEAVING
    :: me == 0
#endif
    fi;
#ifdef LOST_TOKEN
    waiting = waiting - BIT(me)
#endif
  fi;
  retract();
#ifdef LEAVING
  if
  :: me == 0 -> is_searching = false; stop_search(); goto left
  :: true
  fi;
#endif
  goto search;
#ifdef LEAVING
left:
  skip
#endif
}

active proctype watch() {
  timeout -> assert(ran == ALL)
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
  }
}
