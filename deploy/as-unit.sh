#!/bin/sh
# Runs a command of Herald as herald.service would: by systemd, with the unit's user, settings, folders and limits. As root:
#
#   deploy/as-unit.sh doctor
set -eu
unit=${HERALD_UNIT:-herald.service}
# Overrides of `systemctl edit` follow the unit. As systemd reads them: a line may go on after a \, and have spaces around its =.
service=$(systemctl cat "$unit" 2>/dev/null | awk '
  /^[ \t]*[#;]/ { next }
  /\\$/ { begun = begun substr($0, 1, length($0) - 1) " "; next }
  { line = begun $0; begun = "" }
  line ~ /^\[/ { inside = line == "[Service]" }
  inside && match(line, /^[ \t]*[A-Za-z]+[ \t]*=[ \t]*/) {
    key = substr(line, 1, RLENGTH)
    gsub(/[ \t]/, "", key)
    print key substr(line, RLENGTH + 1)
  }') || true
start=$(printf "%s\n" "$service" | sed -n 's/^ExecStart=//p' | tail -n 1)
if [ -z "$start" ]; then
  echo "as-unit.sh: systemd knows no $unit that starts anything. HERALD_UNIT names another one." >&2
  exit 1
fi
# A path in /home or /tmp is the one that was typed.
# shellcheck disable=SC2086
set -- --property=ProtectHome=no --property=PrivateTmp=no --property=ReadWritePaths=/tmp -- $start "$@"
# The last line first, because each comes before the others.
while read -r line; do set -- "--property=$line" "$@"; done <<LINES
$(printf "%s\n" "$service" | grep -Ev '^(Type|Exec[A-Za-z]*|Restart[A-Za-z]*)=' | tac)
LINES
exec systemd-run --quiet --pipe --wait --collect "$@"
