#!/usr/bin/env bash
# Loopback mail servers for tests: Postfix (SMTP) + Dovecot (IMAP, LMTP, SASL), Debian 12, root, no systemd.
#   mailservers.sh install         apt-get the packages (idempotent)
#   mailservers.sh start [DIR]     make DIR if needed, start both, wait until they answer (idempotent)
#   mailservers.sh stop  [DIR]     stop both, by the pid files in DIR
#   mailservers.sh wipe  [DIR]     stop, then delete DIR
#   mailservers.sh status|env [DIR]
# Several instances can run at once: give each its own DIR and its own EST_PORT_BASE.
# Nothing under /etc, /var/mail or /var/spool is used or changed (beyond what the packages install).
set -euo pipefail
if [ "$(id -u)" != 0 ]; then exec sudo -n --preserve-env=EST_PORT_BASE,EST_MAIL_DIR,EST_USERS,EST_DOMAIN bash "$0" "$@"; fi
cmd=${1:-start}
D=${2:-${EST_MAIL_DIR:-/tmp/est-mail}}          # keep it short: unix socket paths are limited to 107 bytes
B=${EST_PORT_BASE:-10000}
DOMAIN=${EST_DOMAIN:-estafette.test}
USERS=${EST_USERS:-"referee alice bob carol dave erin fault-post rebuilt-post ways-post swift-post echo-post full-post still-post frank grace heidi ina ivo nora otto $(printf 'pair%s ' {0..66})"}   # password of u is "pw-u"
SMTP=$((B+25)) SUBM=$((B+587)) SMTPS=$((B+465)) IMAP=$((B+143)) IMAPS=$((B+993))
VUSER=mail                                     # Debian's own uid 8 owns the maildirs
PF=$D/postfix DV=$D/dovecot TLS=$D/tls

say() { echo "mailservers: $*" >&2; }
running() { [ -r "/proc/$1/stat" ] && ! grep -q '^[0-9]* (.*) Z' "/proc/$1/stat" 2>/dev/null; }   # a zombie is not running
alive() { [ -s "$1" ] && running "$(tr -d ' \n' <"$1")"; }

install_pkgs() {
  local need=() p
  for p in postfix dovecot-imapd dovecot-lmtpd openssl; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || need+=("$p")
  done
  [ ${#need[@]} -eq 0 ] && { say "packages present"; return; }
  export DEBIAN_FRONTEND=noninteractive
  # keep dpkg from starting the system-wide daemons
  local pol=/usr/sbin/policy-rc.d made=0
  [ -e $pol ] || { printf '#!/bin/sh\nexit 101\n' >$pol; chmod +x $pol; made=1; }
  apt-get update -qq
  echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections 2>/dev/null || true
  apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
  [ $made = 1 ] && rm -f $pol
  say "installed ${need[*]}"
}

mk_tls() {   # own test CA + server certificate for localhost, 127.0.0.1 and mail.$DOMAIN
  [ -s $TLS/server.pem ] && return
  mkdir -p $TLS
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
    -keyout $TLS/ca.key -out $TLS/ca.pem -subj "/CN=estafette test CA" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -keyout $TLS/server.key -out $TLS/server.csr -subj "/CN=localhost" 2>/dev/null
  openssl x509 -req -in $TLS/server.csr -CA $TLS/ca.pem -CAkey $TLS/ca.key -CAcreateserial -days 3650 \
    -out $TLS/server.pem -extfile <(printf '%s\n' "basicConstraints=CA:FALSE" \
    "subjectAltName=DNS:localhost,DNS:mail.$DOMAIN,IP:127.0.0.1" "extendedKeyUsage=serverAuth") 2>/dev/null
  chmod 600 $TLS/*.key
}

mk_dovecot() {
  mkdir -p $DV/run $DV/state $D/mail $DV/jwt/default/HS256
  chown $VUSER:$VUSER $D/mail
  : >$DV/passwd
  for u in $USERS; do echo "$u@$DOMAIN:{PLAIN}pw-$u" >>$DV/passwd; done
  # HS256 key for XOAUTH2/OAUTHBEARER with locally checked JWTs (see "token")
  [ -s $DV/jwt/default/HS256/default ] || openssl rand -base64 32 | tr -d '\n' >$DV/jwt/default/HS256/default
  chown dovecot $DV/passwd; chmod 640 $DV/passwd; chown -R dovecot $DV/jwt
  cat >$DV/oauth2.conf <<E
introspection_mode = local
local_validation_key_dict = fs:posix:prefix=$DV/jwt/
username_attribute = email
E
  cat >$DV/dovecot.conf <<E
base_dir = $DV/run
state_dir = $DV/state
instance_name = est-$B
log_path = $DV/dovecot.log
auth_verbose = yes
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <$TLS/server.pem
ssl_key = <$TLS/server.key
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2 oauthbearer
first_valid_uid = 8
first_valid_gid = 8
mail_location = maildir:$D/mail/%n
recipient_delimiter = +
mail_max_userip_connections = 50
imap_idle_notify_interval = 2 mins
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $DV/oauth2.conf
}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u $DV/passwd
}
userdb {
  driver = static
  args = uid=$VUSER gid=$VUSER home=$D/mail/%n
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Processed {
    auto = subscribe
  }
  mailbox Rejected {
    auto = subscribe
  }
  mailbox Junk {
    auto = create
    special_use = \Junk
  }
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = $IMAP
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = $IMAPS
    ssl = yes
  }
}
service lmtp {
  user = $VUSER
  unix_listener lmtp {
    mode = 0666
  }
}
service auth {
  unix_listener auth-postfix {
    mode = 0666
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
E
}

mk_postfix() {
  mkdir -p $PF/etc $PF/spool $PF/data
  chown postfix $PF/data
  : >$PF/etc/vmailbox
  for u in $USERS; do echo "$u@$DOMAIN ok" >>$PF/etc/vmailbox; done
  # addresses that misbehave on purpose (chaos tests): 450 at RCPT, 550 at RCPT, accepted then
  # bounced with a DSN (Dovecot does not know the user), dropped, queued and retried for 5 minutes
  cat >>$PF/etc/vmailbox <<E
tempfail@$DOMAIN ok
reject@$DOMAIN ok
bounce@$DOMAIN ok
blackhole@$DOMAIN ok
limbo@$DOMAIN ok
E
  cat >$PF/etc/rcpt_access <<E
tempfail@$DOMAIN 450 4.3.0 try again later
reject@$DOMAIN 550 5.7.1 we do not want this
E
  cat >$PF/etc/transport <<E
limbo@$DOMAIN lmtp:unix:$D/no-such-socket
blackhole@$DOMAIN discard:silently
E
  cat >$PF/etc/main.cf <<E
compatibility_level = 3.6
queue_directory = $PF/spool
data_directory = $PF/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = $PF/postfix.log
maillog_file_prefixes = /var, /dev/stdout, /tmp, $D
myhostname = mail.$DOMAIN
mydestination =
local_transport = error:no local mail
alias_maps =
alias_database =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
default_transport = error:5.4.4 this test server does not relay
virtual_mailbox_domains = $DOMAIN
virtual_mailbox_maps = texthash:$PF/etc/vmailbox
virtual_transport = lmtp:unix:$DV/run/lmtp
transport_maps = texthash:$PF/etc/transport
recipient_delimiter = +
message_size_limit = 26214400
smtpd_tls_cert_file = $TLS/server.pem
smtpd_tls_key_file = $TLS/server.key
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = $DV/run/auth-postfix
smtpd_recipient_restrictions = check_recipient_access texthash:$PF/etc/rcpt_access, reject_unlisted_recipient, permit
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
smtpd_error_sleep_time = 0
minimal_backoff_time = 5s
maximal_backoff_time = 10s
queue_run_delay = 5s
maximal_queue_lifetime = 5m
bounce_queue_lifetime = 5m
smtputf8_enable = yes
biff = no
E
  cat >$PF/etc/master.cf <<E
127.0.0.1:$SMTP inet n - n - - smtpd
127.0.0.1:$SUBM inet n - n - - smtpd
  -o syslog_name=postfix/submission -o smtpd_tls_security_level=encrypt -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
127.0.0.1:$SMTPS inet n - n - - smtpd
  -o syslog_name=postfix/smtps -o smtpd_tls_wrappermode=yes -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
pickup    unix  n - n 60  1 pickup
cleanup   unix  n - n -   0 cleanup
qmgr      unix  n - n 300 1 qmgr
tlsmgr    unix  - - n 1000? 1 tlsmgr
rewrite   unix  - - n -   - trivial-rewrite
bounce    unix  - - n -   0 bounce
defer     unix  - - n -   0 bounce
trace     unix  - - n -   0 bounce
verify    unix  - - n -   1 verify
flush     unix  n - n 1000? 0 flush
proxymap  unix  - - n -   - proxymap
smtp      unix  - - n -   - smtp
relay     unix  - - n -   - smtp
showq     unix  n - n -   - showq
error     unix  - - n -   - error
retry     unix  - - n -   - error
discard   unix  - - n -   - discard
lmtp      unix  - - n -   - lmtp
anvil     unix  - - n -   1 anvil
scache    unix  - - n -   1 scache
postlog   unix-dgram n - n - 1 postlogd
E
}

wait_port() {
  for _ in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null && return 0; sleep 0.1; done
  say "port $1 did not open; see $DV/dovecot.log and $PF/postfix.log"; return 1
}

start() {
  mkdir -p $D; chmod 755 $D
  mk_tls
  if ! alive $DV/run/master.pid; then mk_dovecot; dovecot -c $DV/dovecot.conf </dev/null >$DV/start.log 2>&1 || { cat $DV/start.log >&2; exit 1; }; fi
  if ! alive $PF/spool/pid/master.pid; then
    mk_postfix; postfix -c $PF/etc start </dev/null >$PF/start.log 2>&1 || { cat $PF/start.log >&2; exit 1; }
  fi
  for p in $IMAP $IMAPS $SMTP $SUBM $SMTPS; do wait_port $p; done
  say "up: smtp $SMTP submission $SUBM smtps $SMTPS imap $IMAP imaps $IMAPS in $D"
}

stop_one() {  # pid file, name: TERM, then KILL after 10 s; only ever the pid the file holds
  alive "$1" || return 0
  local pid; pid=$(tr -d ' \n' <"$1"); kill -TERM "$pid"
  for _ in $(seq 100); do running "$pid" || return 0; sleep 0.1; done
  say "$2 ($pid) ignored TERM"; kill -KILL "$pid"
}
stop() { stop_one $PF/spool/pid/master.pid postfix; stop_one $DV/run/master.pid dovecot; say "stopped $D"; }

token() {  # a signed JWT for user $1, valid one hour, for XOAUTH2 / OAUTHBEARER tests
  b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
  local h p key; key=$(base64 -d <$DV/jwt/default/HS256/default | od -An -tx1 | tr -d ' \n')
  h=$(printf '{"alg":"HS256","typ":"JWT"}' | b64)
  p=$(printf '{"email":"%s","sub":"%s","iat":%d,"exp":%d}' "$1" "$1" $(date +%s) $(( $(date +%s)+3600 )) | b64)
  printf '%s.%s.%s\n' "$h" "$p" "$(printf '%s.%s' "$h" "$p" | openssl dgst -sha256 -mac HMAC -macopt hexkey:$key -binary | b64)"
}

case $cmd in
  install) install_pkgs ;;
  start) install_pkgs; start ;;
  stop) stop ;;
  wipe) stop; case $D in /tmp/*) rm -rf "$D" ;; *) say "refusing $D"; exit 1 ;; esac ;;
  status) alive $DV/run/master.pid && echo "dovecot $(cat $DV/run/master.pid)" || echo "dovecot down"
          alive $PF/spool/pid/master.pid && echo "postfix $(tr -d ' ' <$PF/spool/pid/master.pid)" || echo "postfix down" ;;
  token) D=${EST_MAIL_DIR:-/tmp/est-mail} DV=$D/dovecot; token "$2" ;;
  env) echo "EST_SMTP=$SMTP EST_SUBM=$SUBM EST_SMTPS=$SMTPS EST_IMAP=$IMAP EST_IMAPS=$IMAPS EST_CA=$TLS/ca.pem EST_DOMAIN=$DOMAIN EST_MAIL_DIR=$D" ;;
  *) sed -n 2,9p "$0"; exit 2 ;;
esac
