#!/bin/sh
# Runs a command of Herald as herald.service would: by systemd, with the unit's user, settings, folders and limits. As root:
#
#   deploy/as-unit.sh doctor
set -eu
unit=${HERALD_UNIT:-herald.service}
# Overrides of `systemctl edit` follow the unit.
service=$(systemctl cat "$unit" 2>/dev/null | awk '/^\[/ { inside = $0 == "[Service]" } inside && /^[A-Za-z]+=/') || true
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
