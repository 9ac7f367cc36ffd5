#!/usr/bin/env bash
# Checks the models with Spin: the sound ones must hold, each broken variant must violate the property named for it.
#
#   check.sh              all runs
#   check.sh TEXT         the runs whose name contains TEXT
#   check.sh --story NAME the shortest way to the violation of one broken variant
#
# Exit: 0 all as expected; 1 a sound model failed, a broken variant passed or failed otherwise, or a search was not
# complete; 2 wrong use; 3 a tool is missing.
set -euo pipefail

readonly memory_mb=1800
readonly depth=1000000

# model, expected ("holds", "ends" for no endless run, or the violated property), name, options
runs() {
  cat <<'END'
order holds              order                     -DFOREIGN_LOCKS=1
order holds              order-fault               -DFAULTS=1
order holds              order-outage              -DOUTAGES=1
order holds              order-fault-and-outage    -DFAULTS=1 -DOUTAGES=1 -DREFUSALS=1
order holds              order-two-faults          -DFAULTS=2 -DOUTAGES=1 -DREFUSALS=0
order holds              order-hold                -DHOLD -DMAX_ATTEMPTS=1 -DFAULTS=1 -DREFUSALS=1 -DOUTAGES=1
order holds              order-without-slot-locks  -DNO_SLOT_LOCKS
order ends               order-every-run-ends      -DFAULTS=1 -DREFUSALS=1
order out_of_order       BROKEN_LOCK_AND_FETCH_IN_ONE_STATEMENT
order sent_too_early     BROKEN_LOCK_AND_CANDIDATES_IN_ONE_STATEMENT
order sent_too_early     BROKEN_NO_SLOT_LOCKS
order sent_too_early     BROKEN_SLOTS_RELEASED_BEFORE_COMMIT
order out_of_order       BROKEN_SKIP_LOCKED_WITHOUT_GAP_CHECK -DFOREIGN_LOCKS=1
order out_of_order       BROKEN_CLAIM_TAKES_WHAT_IT_GETS -DFOREIGN_LOCKS=1
order out_of_order       BROKEN_NO_WAVES
order out_of_order       BROKEN_RETRY_HOLDS_NOTHING_BACK
order out_of_order       BROKEN_WRITERS_NOT_SERIALISED
order marked_undelivered BROKEN_RETURN_IGNORED
order marked_undelivered BROKEN_UNKNOWN_TAKEN_FOR_CONFIRMED -DOUTAGES=1
floor holds              floor                     -DRETRIES=1
floor holds              floor-without-sweep       -DNO_SWEEP
floor holds              floor-hold                -DHOLD -DRETRIES=1 -DREFUSALS=2 -DWRITES=2
floor holds              floor-crash               -DHOLD -DCRASHES=1 -DWRITES=2
floor ends               floor-every-run-ends      -DRETRIES=1 -DWRITES=2
floor out_of_order       BROKEN_FLOOR_AT_LAST_SEEN
floor left_behind        BROKEN_FLOOR_AT_LAST_SEEN_WITHOUT_SWEEP
floor out_of_order       BROKEN_LAST_VALUE_AFTER_COLLECTING
floor out_of_order       BROKEN_FLOOR_FROM_A_SNAPSHOT_BEFORE_THE_WAIT
floor out_of_order       BROKEN_SEQUENCE_CACHE
floor out_of_order       BROKEN_FLOOR_PASSES_HELD_DEAD_LETTERS
floor out_of_order       BROKEN_FLOOR_OUTLIVES_THE_SESSION
floor left_behind        BROKEN_RETRIES_WITHOUT_SWEEP
floor floor_held_back    BROKEN_FLOOR_WAITS_FOR_READERS
gate  holds              gate                      -DLOSSES=1
gate  holds              gate-with-fallback-poll   -DLOSSES=1 -DFOLLOW_UP_POLLS_BY_TIME -DFALLBACK_POLL
gate  holds              gate-two-relays           -DRELAYS=2 -DLOSSES=1
gate  holds              gate-two-relays-one-dies  -DRELAYS=2 -DDEATHS=1 -DFALLBACK_POLL
gate  ends               gate-every-run-ends       -DRELAYS=2
gate  asleep_for_good    BROKEN_NO_POLL_AFTER_FALLING_ASLEEP
gate  asleep_for_good    BROKEN_NO_FALLBACK_POLL
gate  asleep_for_good    BROKEN_NO_FALLBACK_POLL_OF_TWO
gate  asleep_for_good    BROKEN_SLEEPS_WITHOUT_THE_GATE
gate  asleep_for_good    BROKEN_NO_POLL_AFTER_A_LATE_GATE
gate  asleep_for_good    BROKEN_NOTIFICATIONS_DROPPED_AFTER_THE_LAST_POLL
gate  asleep_for_good    BROKEN_LISTEN_AFTER_THE_LAST_POLL
gate  asleep_for_good    BROKEN_NO_POLL_AFTER_LISTENING_AGAIN -DLOSSES=1
END
}

for tool in spin gcc; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is missing; on Debian and Ubuntu: apt-get install -y spin gcc" >&2
    exit 3
  fi
done

models=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The options of a run; a broken variant is switched on by its own name.
options_of() {
  local name=$1 given=$2
  case $name in
    BROKEN_*) echo "-D$name $given" ;;
    *) echo "$given" ;;
  esac
}

# build MODEL "OPTIONS OF THE MODEL" COMPILER-OPTION...
build() {
  local model=$1 options=$2
  shift 2
  rm -f pan* ./*.trail
  : >pan.log
  # shellcheck disable=SC2086 # several options
  spin -a $options "$models/$model.pml" >spin.log || { cat spin.log >&2; return 1; }
  gcc -w -DCOLLAPSE -DMEMLIM=$memory_mb "$@" -o pan pan.c
}

# What the checker found: "holds", "ends", the violated property, "incomplete", or what else it says.
verdict_of() {
  local expected=$1
  if grep -q 'assertion violated' pan.log; then
    sed -n 's/.*assertion violated *!(\([a-z_]*\)).*/\1/p' pan.log | head -n 1
  elif grep -q 'errors: 0' pan.log && ! grep -Eq 'not completed|truncated|out of memory|max search depth' pan.log; then
    if [ "$expected" = ends ]; then echo ends; else echo holds; fi
  elif grep -q '^pan:1:' pan.log; then
    sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' pan.log | head -n 1 | tr ' ' -
  else
    echo incomplete
  fi
}

check() {
  local model=$1 expected=$2 name=$3 options verdict states seconds mark=''
  # -b: to reach the depth limit is an error, too.
  local compiler=(-DSAFETY -O0) checker=(-b "-m$depth")
  options=$(options_of "$name" "$4")
  case $expected in
    holds) compiler=(-DSAFETY -O2) ;;
    # No label marks progress in the models, so a search for cycles without progress finds every cycle.
    ends) compiler=(-DNP -O2) checker+=(-l) ;;
  esac
  if build "$model" "$options" "${compiler[@]}"; then
    ./pan "${checker[@]}" >pan.log 2>&1 || true
  fi
  verdict=$(verdict_of "$expected")
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log | head -n 1)
  seconds=$(sed -n 's/^pan: elapsed time \([0-9.e-]*\) seconds.*/\1/p' pan.log | head -n 1)
  [ "$verdict" = "$expected" ] || mark='   NOT AS EXPECTED'
  printf '%-50s %-18s %-18s %9s %7s%s\n' "$name" "$expected" "$verdict" "${states:--}" "${seconds:--}" "$mark"
  [ -z "$mark" ]
}

# The shortest counterexample, as the model's own messages tell it.
story() {
  local wanted=$1 model expected name options
  while read -r model expected name options; do
    if [ "$name" = "$wanted" ]; then
      options=$(options_of "$name" "$options")
      build "$model" "$options" -DSAFETY -DBFS
      ./pan >pan.log 2>&1 || true
      if [ ! -e "$model.pml.trail" ]; then
        echo "nothing is violated in $name" >&2
        exit 2
      fi
      # shellcheck disable=SC2086
      spin -k "$model.pml.trail" -T $options "$models/$model.pml" |
        sed -n -e '/^spin: trail ends/q' -e 's/^spin: text of failed assertion: assert(!(\(.*\)))$/violated: \1/' \
          -e '/^spin:/!p'
      return
    fi
  done < <(runs)
  echo "no run is named $wanted" >&2
  exit 2
}

if [ "${1:-}" = --story ]; then
  story "${2:-}"
  exit
fi

failed=0
count=0
printf '%-50s %-18s %-18s %9s %7s\n' run expected verdict states seconds
while read -r model expected name options; do
  case $name in
    *"${1:-}"*) ;;
    *) continue ;;
  esac
  count=$((count + 1))
  check "$model" "$expected" "$name" "$options" || failed=$((failed + 1))
done < <(runs)

if [ "$count" = 0 ]; then
  echo "no run's name contains ${1:-}" >&2
  exit 2
fi
echo "$count runs, $failed not as expected"
[ "$failed" = 0 ]
