#!/bin/sh
# Runs an operator's command as potluck.service would: as its user, with its variables, and with write access only to
# its folder and /tmp. Run this as root: /opt/potluck/deploy/as-service.sh admin list
exec systemd-run --quiet --pipe --wait --collect \
  -p DynamicUser=yes -p User=potluck -p StateDirectory=potluck -p WorkingDirectory=/opt/potluck \
  -p EnvironmentFile=/etc/potluck.env -p "Environment=NODE_ENV=production DATA_DIR=/var/lib/potluck HOME=/tmp" /usr/bin/node potluck.mjs "$@"
