/*  Workers that sleep, and pushers that wake them without a lock, a fence or a shared counter on their fast path.

    THE PROTOCOL.  A mutex guards the list of sleepers, the count of searchers and the word need_wake, which is
    non-zero exactly when somebody sleeps and nobody searches. Every worker has a binary semaphore to park on: a
    token given before the wait is not lost.

      push             store the task (it may stay in the store buffer); read need_wake without the lock; if it is
                       non-zero: lock; if nobody searches, wake a sleeper; unlock.
      wake a sleeper   (with the lock) take it off the list, count it as a searcher, give it its token.
      a worker without work
         start         lock; searching + 1; unlock. Search for a while.
         found         lock; searching - 1; if it was the last searcher and somebody sleeps, wake a sleeper; unlock;
                       run the task.
         not found     lock; searching - 1; put itself on the list; unlock ("announce"); membarrier; look at every
                       queue again:
            work       lock; if it is still on the list: take itself off, searching + 1; unlock. If it is not,
                       somebody has woken it and counted it: wait for the token, which is there or about to come.
                       Search again.
            none       park. When woken, it is off the list and counted already: search again.
      Whoever holds the lock sets need_wake anew before unlocking.

    WHY NOBODY IS LOST.  The announcement and the push are a Dekker pair: the sleeper stores need_wake, then loads the
    queues; the pusher stores the task, then loads need_wake. The sleeper's membarrier stands for both fences: if the
    task was stored before it, the second look finds it; if after, so comes the pusher's load of need_wake, which
    sees the announcement or a searcher's presence; and a searcher either finds work and wakes the next, or announces
    itself later, with a second look of its own.

    STATES OF A WORKER.  running -> searching -> running, or -> announced -> searching (by itself) or -> woken (by
    another) -> searching; announced -> parked -> woken.

    CHECKED.  When nothing can move any more, every task has run: no state is reachable where a task waits while all
    workers are parked, or blocked in tasks. The lock's holder never finds the count of searchers below zero, and
    no token is given twice.

    MEMORY.  Stored tasks become visible at any later time, in any order. So does need_wake after an unlock
    (an unlock need not be a full fence), but at the latest when somebody takes the lock.

    KNOBS.
      WORKERS, TASKS   up to 3 each. Each task lies in a queue of its own
      PUSHERS          they share the tasks; they run none
      BLOCKING         task 1 blocks the worker that runs it until all others have run
      LATE_UNPARK      the token is given after the unlock
      CLEAR_TOKEN      instead of waiting for the token of a wake it does not need, the worker removes an old token when
                       it announces itself
      FENCED           the other mode: the pusher fences after each push, the sleeper issues a fence of its own instead
                       of the membarrier

    MUTANTS.  Each must be seen to fail.
      NO_BARRIER       no membarrier before the second look
      NO_RECHECK       no second look
      RECHECK_FIRST    the second look comes before the announcement
      RECHECK_ONE      the second look is at the first queue only
      STALE_NEED_WAKE  the sleeper sets need_wake before it puts itself on the list    (fails with BLOCKING only)
      FIRST_SLEEPER    the sleeper sets need_wake only when the list was empty
      SILENT_LAST      the last searcher finds work and wakes nobody                   (fails with BLOCKING only: what is
                       lost otherwise is parallelism, not a task)
      LOST_TOKEN       a token given before the wait is lost
      STALE_TOKEN      the worker that finds itself woken leaves its token, and finds it the next time it parks
      BLIND_REMOVAL    the second look found work, and the worker does not ask whether it is still on the list: it
                       counts itself though its waker did, and leaves the token   (fails with BLOCKING only)
      DOUBLE_COUNT     the woken worker counts itself as a searcher, too
      NO_OWN_FENCE     with FENCED: the sleeper issues no fence either
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

/* Sets of tasks and of workers are bits: task or worker i is 1 << i. */
#define ALL ((1 << TASKS) - 1)
#define NOBODY 255

/* Memory. */
byte queued = 0;    /* tasks that are visible in a queue */
byte buffered = 0;  /* tasks stored, but still in their pusher's store buffer */
byte need_wake = 0; /* as everybody sees it */
byte need_wake_stored = 0; /* as the last holder of the lock stored it */

/* Guarded by the mutex. */
bool locked = false;
byte searching = 0;
byte sleepers = 0;

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
  :: d_step { need_wake != need_wake_stored -> need_wake = need_wake_stored }
  od
}

inline lock() {
  d_step { !locked -> locked = true; need_wake = need_wake_stored }
}

inline unlock() {
  locked = false
}

inline set_need_wake() {
  need_wake_stored = (sleepers != 0 && searching == 0 -> 1 : 0)
}

inline membarrier() {
  d_step { queued = queued | buffered; buffered = 0; need_wake = need_wake_stored }
}

inline pusher_fence() {
  d_step { queued = queued | buffered; buffered = 0 }
}

inline sleeper_fence() {
  need_wake = need_wake_stored
}

inline unpark(who) {
#ifdef LOST_TOKEN
  d_step {
    if
    :: waiting & (1 << who) -> tokens = tokens | (1 << who)
    :: else
    fi
  }
#else
  d_step { assert((tokens & (1 << who)) == 0); tokens = tokens | (1 << who) }
#endif
}

/* With the lock. Sets `woken` to the worker chosen. */
inline take_sleeper() {
  if
  :: sleepers & 1 -> woken = 0
  :: sleepers & 2 -> woken = 1
  :: sleepers & 4 -> woken = 2
  fi;
  sleepers = sleepers - (1 << woken);
  searching++
}

/* The end of a step with the lock in which a sleeper may have been taken. */
inline unlock_and_unpark() {
#ifdef LATE_UNPARK
  set_need_wake();
  unlock();
#endif
  if
  :: woken != NOBODY -> unpark(woken); woken = NOBODY
  :: else
  fi;
#ifndef LATE_UNPARK
  set_need_wake();
  unlock()
#endif
}

proctype pusher(byte task) {
  byte woken = NOBODY, seen = 0;
  do
  :: task < TASKS ->
    buffered = buffered | (1 << task);
#ifdef FENCED
    pusher_fence();
#endif
    seen = need_wake;
    if
    :: seen ->
      lock();
      atomic {
        if
        :: searching == 0 && sleepers != 0 -> take_sleeper()
        :: else
        fi
      };
      unlock_and_unpark()
    :: else
    fi;
    d_step { seen = 0; task = task + PUSHERS }
  :: else -> break
  od
}

inline announce() {
  lock();
  d_step {
    assert(searching > 0);
    searching--;
#ifdef STALE_NEED_WAKE
    set_need_wake();
    sleepers = sleepers | (1 << me);
#elif defined(FIRST_SLEEPER)
    if
    :: sleepers == 0 -> sleepers = 1 << me; set_need_wake()
    :: else -> sleepers = sleepers | (1 << me)
    fi;
#else
    sleepers = sleepers | (1 << me);
    set_need_wake();
#endif
#ifdef CLEAR_TOKEN
    tokens = tokens & ~(1 << me);
#endif
    skip
  };
  unlock()
}

inline barrier() {
#if defined(NO_BARRIER) || defined(NO_OWN_FENCE)
  skip
#elif defined(FENCED)
  sleeper_fence()
#else
  membarrier()
#endif
}

/* One load for each queue. */
inline look_again() {
  d_step { seen = queued & 1 };
#ifndef RECHECK_ONE
  d_step { seen = seen | (queued & 2) };
#if TASKS > 2
  d_step { seen = seen | (queued & 4) };
#endif
#endif
#ifdef NO_RECHECK
  seen = 0
#endif
}

inline take_task() {
  if
  :: queued & 1 -> task = 0
  :: queued & 2 -> task = 1
  :: queued & 4 -> task = 2
  fi;
  queued = queued - (1 << task)
}

inline run_task() {
#ifdef BLOCKING
  if
  :: task == 0 -> (ran & (ALL - 1)) == ALL - 1
  :: else
  fi;
#endif
  d_step { ran = ran | (1 << task); task = 0 }
}

proctype worker(byte me) {
  byte woken = NOBODY, task = 0, seen = 0;
start:
  lock();
  d_step { searching++; set_need_wake() };
  unlock();
search:
  if
  :: atomic { queued != 0 -> take_task() }; goto found
  :: goto not_found /* a search may overlook work */
  fi;
found:
  lock();
  atomic {
    assert(searching > 0);
    searching--;
#ifndef SILENT_LAST
    if
    :: searching == 0 && sleepers != 0 -> take_sleeper()
    :: else
    fi
#endif
  };
  unlock_and_unpark();
  run_task();
  goto start;
not_found:
#ifdef RECHECK_FIRST
  barrier();
  look_again();
  if
  :: seen -> seen = 0; goto search
  :: else
  fi;
  announce();
#else
  announce();
  barrier();
  look_again();
  if
  :: seen ->
    seen = 0;
    lock();
    if
#ifdef BLIND_REMOVAL
    :: d_step { sleepers = sleepers & ~(1 << me); searching++; set_need_wake() };
      unlock();
      goto search
#else
    :: d_step { (sleepers & (1 << me)) -> sleepers = sleepers - (1 << me); searching++; set_need_wake() };
      unlock();
      goto search
    :: else ->
      unlock();
#if defined(STALE_TOKEN) || defined(CLEAR_TOKEN)
      goto search
#endif
#endif
    fi
  :: else
  fi;
#endif
#ifdef LOST_TOKEN
  waiting = waiting | (1 << me);
#endif
end_parked:
  d_step { (tokens & (1 << me)) -> tokens = tokens - (1 << me) };
#ifdef LOST_TOKEN
  waiting = waiting - (1 << me);
#endif
#ifdef DOUBLE_COUNT
  lock();
  d_step { searching++; set_need_wake() };
  unlock();
#endif
  goto search
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
