#!/usr/bin/env bash
# Keeps values in a file.

set -euo pipefail

# How many values fit.
readonly CAPACITY=1024
STORE_FILE="${STORE_FILE:-store.txt}"
export PATH="$PATH:bin"
declare -A values=()
alias ll='ls -l'

# Finds a value.
#
# $1 - the key
store_get() {
  local key=$1
  grep "^$key=" "$STORE_FILE" | cut -d= -f2
}

function store_put {
  echo "$1=$2" >> "$STORE_FILE"
}

function store::count() {
  wc -l < "$STORE_FILE"
}

if [ -n "${DEBUG:-}" ]; then
  debug() { echo "$@" >&2; }
fi

case "${1:-}" in
  get) store_get "$2" ;;
esac
