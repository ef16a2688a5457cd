#!/bin/sh
# Dumps the database of compose.yml every EVERY_HOURS hours into a file that gets its name once it is whole, and keeps the newest
# KEEP. `once` makes one and ends; `fresh` says by its exit code whether the newest one is younger than that.
set -eu
umask 077
hours=${EVERY_HOURS:-24}
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

one() {
  # What was left by one that was killed.
  rm -f "$BACKUPS"/herald-*.dump.unfinished
  name="$BACKUPS/herald-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump"
  if pg_dump --format=custom --file="$name.unfinished" && pg_restore --list "$name.unfinished" >/dev/null; then
    mv "$name.unfinished" "$name"
    echo "Backed up to $name."
    find "$BACKUPS" -name 'herald-*.dump' | sort -r | tail -n "+$((${KEEP:-14} + 1))" | while read -r old; do rm "$old"; done
  else
    rm -f "$name.unfinished"
    echo "There is no backup this time; the next try is in $hours hours." >&2
    return 1
  fi
}

case "${1:-}" in
  once) one ;;
  fresh) find "$BACKUPS" -name 'herald-*.dump' -mmin "-$((hours * 60 + 60))" | grep -q . ;;
  *)
    trap 'exit 0' TERM INT
    while :; do
      one || true
      sleep "$((hours * 3600))" &
      wait $!
    done
    ;;
esac
