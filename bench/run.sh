#!/usr/bin/env bash
# Measures Loophole beside the hand-written references, in one run: bash bench/run.sh [WORD ...]
# With words, only the peers whose name has one of them (default: python SWI Loophole). "all" runs every engine (about 12 minutes).
# The references are in ../shared/bench (BENCH names another folder); their tools go to LOOPHOLE_BENCH_DIR. Ends with our bounds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
bench=${BENCH:-$root/../shared/bench}
[ -e "$bench/run.sh" ] || { echo "no references at $bench: set BENCH to the folder that holds them" >&2; exit 1; }
export LOOPHOLE_BENCH_DIR=${LOOPHOLE_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/loophole-bench}
case "${1:-}" in
  all) set -- ;;
  "") set -- python SWI Loophole ;;
esac
# What answers is compiled where there is a C compiler, as in a wheel made for the machine (hatch_build.py); LOOPHOLE_PLAIN=1: not.
[ -n "${LOOPHOLE_PLAIN:-}" ] || ! command -v cc >/dev/null || export HATCH_BUILD_HOOKS_ENABLE=true
EXTRA_PEER=$here/peer.py EXTRA_INSTALL=$root bash "$bench/run.sh" "$@"
results=$LOOPHOLE_BENCH_DIR/bench/results
[ $# -gt 0 ] && table=some_peers.json || table=peers.json
python3 "$here/bounds.py" "$results/$table"
