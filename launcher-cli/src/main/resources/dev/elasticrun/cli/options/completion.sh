# Completes the words of elastic-run in bash and zsh: eval "$(elastic-run completion bash)"
if [ -n "${ZSH_VERSION:-}" ]; then
  autoload -U +X compinit && compinit
  autoload -U +X bashcompinit && bashcompinit
fi

# Runs that have an agent on this host; with --all also those that have ended.
_elastic_run_runs() {
  "${COMP_WORDS[0]/#\~/$HOME}" list "$@" 2>/dev/null | sed '1d;s/ .*//'
}

# What a flag of a command takes: f for a file, d for a directory, r for a live run, a for any run, words, - for anything;
# empty: no value.
_elastic_run_value() {
  case ${1//_/-} in
    ' --bind-addr' | ' --checkpoint-every' | ' --checkpoint-parity' | ' --checkpoint-replicas' | ' --dashboard-port' | ' --drain-signal' | ' --duplicate-stderr-filters' | ' --duplicate-stdout-filters' | ' --env' | ' --etcd-user' | ' --event-log-handler' | ' --exclude-cool-down' | ' --exit-barrier-timeout' | ' --first-contact-timeout' | ' --hang-timeout' | ' --heartbeat-interval' | ' --java-opts' | ' --join-timeout' | ' --last-call-timeout' | ' --lease-ttl' | ' --local-addr' | ' --local-ranks-filter' | ' --local-replicas' | ' --log-max-files' | ' --log-max-size' | ' --log-prefix' | ' --logs-specs' | ' --main-class' | ' --master-addr' | ' --master-port' | ' --max-restarts' | ' --metrics-port' | ' --monitor-interval' | ' --nnodes' | ' --no-progress-limit' | ' --no-retry-exit-codes' | ' --node-rank' | ' --numa-binding' | ' --operation-timeout' | ' --otlp-endpoint' | ' --pause-timeout' | ' --peer-timeout' | ' --port-range' | ' --rdzv-conf' | ' --rdzv-endpoint' | ' --rdzv-id' | ' --ready-timeout' | ' --redirect' | ' --redirects' | ' --rejoin-back-off' | ' --replacement-wait' | ' --restart-refund' | ' --role' | ' --run-id' | ' --scale-up-delay' | ' --shutdown-timeout' | ' --signals-to-handle' | ' --spare-workers' | ' --start-method' | ' --state-wait' | ' --store-timeout' | ' --straggler-timeout' | ' --tee' | ' -r' | ' -t' | 'chaos --agents' | 'chaos --calm' | 'chaos --compare' | 'chaos --every' | 'chaos --faults' | 'chaos --for' | 'chaos --forecast' | 'chaos --min-goodput' | 'chaos --net' | 'chaos --replace-after' | 'chaos --seed' | 'dashboard --port' | 'doctor --bind-addr' | 'doctor --checkpoint-every' | 'doctor --checkpoint-parity' | 'doctor --checkpoint-replicas' | 'doctor --checkpoint-size' | 'doctor --dashboard-port' | 'doctor --drain-signal' | 'doctor --duplicate-stderr-filters' | 'doctor --duplicate-stdout-filters' | 'doctor --env' | 'doctor --etcd-user' | 'doctor --event-log-handler' | 'doctor --exclude-cool-down' | 'doctor --exit-barrier-timeout' | 'doctor --first-contact-timeout' | 'doctor --hang-timeout' | 'doctor --heartbeat-interval' | 'doctor --java-opts' | 'doctor --join-timeout' | 'doctor --last-call-timeout' | 'doctor --lease-ttl' | 'doctor --local-addr' | 'doctor --local-ranks-filter' | 'doctor --local-replicas' | 'doctor --log-max-files' | 'doctor --log-max-size' | 'doctor --log-prefix' | 'doctor --logs-specs' | 'doctor --main-class' | 'doctor --master-addr' | 'doctor --master-port' | 'doctor --max-restarts' | 'doctor --metrics-port' | 'doctor --monitor-interval' | 'doctor --nnodes' | 'doctor --no-progress-limit' | 'doctor --no-retry-exit-codes' | 'doctor --node-rank' | 'doctor --numa-binding' | 'doctor --operation-timeout' | 'doctor --otlp-endpoint' | 'doctor --pause-timeout' | 'doctor --peer-timeout' | 'doctor --port-range' | 'doctor --rdzv-conf' | 'doctor --rdzv-endpoint' | 'doctor --rdzv-id' | 'doctor --ready-timeout' | 'doctor --redirect' | 'doctor --redirects' | 'doctor --rejoin-back-off' | 'doctor --replacement-wait' | 'doctor --restart-refund' | 'doctor --role' | 'doctor --run-id' | 'doctor --scale-up-delay' | 'doctor --shutdown-timeout' | 'doctor --signals-to-handle' | 'doctor --spare-workers' | 'doctor --start-method' | 'doctor --state-wait' | 'doctor --store-timeout' | 'doctor --straggler-timeout' | 'doctor --tee' | 'doctor --wait' | 'doctor -r' | 'doctor -t' | 'drain --etcd-user' | 'drain --rdzv-endpoint' | 'drain --timeout' | 'dump --etcd-user' | 'dump --rdzv-endpoint' | 'events --etcd-user' | 'events --format' | 'events --kind' | 'events --node' | 'events --rdzv-endpoint' | 'events --since' | 'explain --etcd-user' | 'explain --rdzv-endpoint' | 'list --etcd-user' | 'list --rdzv-endpoint' | 'logs --etcd-user' | 'logs --rank' | 'logs --rdzv-endpoint' | 'profile --etcd-user' | 'profile --rdzv-endpoint' | 'profile --seconds' | 'replay --etcd-user' | 'replay --format' | 'replay --policy' | 'replay --rdzv-endpoint' | 'restart --etcd-user' | 'restart --rdzv-endpoint' | 'restart --timeout' | 'scale --etcd-user' | 'scale --rdzv-endpoint' | 'scale --timeout' | 'ssh --bind-addr' | 'ssh --checkpoint-every' | 'ssh --checkpoint-parity' | 'ssh --checkpoint-replicas' | 'ssh --dashboard-port' | 'ssh --drain-signal' | 'ssh --duplicate-stderr-filters' | 'ssh --duplicate-stdout-filters' | 'ssh --env' | 'ssh --etcd-user' | 'ssh --event-log-handler' | 'ssh --exclude-cool-down' | 'ssh --exit-barrier-timeout' | 'ssh --first-contact-timeout' | 'ssh --hang-timeout' | 'ssh --heartbeat-interval' | 'ssh --java-opts' | 'ssh --join-timeout' | 'ssh --last-call-timeout' | 'ssh --launcher' | 'ssh --lease-ttl' | 'ssh --local-addr' | 'ssh --local-ranks-filter' | 'ssh --local-replicas' | 'ssh --log-max-files' | 'ssh --log-max-size' | 'ssh --log-prefix' | 'ssh --logs-specs' | 'ssh --main-class' | 'ssh --master-addr' | 'ssh --master-port' | 'ssh --max-restarts' | 'ssh --metrics-port' | 'ssh --monitor-interval' | 'ssh --nnodes' | 'ssh --no-progress-limit' | 'ssh --no-retry-exit-codes' | 'ssh --node-rank' | 'ssh --numa-binding' | 'ssh --operation-timeout' | 'ssh --otlp-endpoint' | 'ssh --pause-timeout' | 'ssh --peer-timeout' | 'ssh --port-range' | 'ssh --rdzv-conf' | 'ssh --rdzv-endpoint' | 'ssh --rdzv-id' | 'ssh --ready-timeout' | 'ssh --redirect' | 'ssh --redirects' | 'ssh --rejoin-back-off' | 'ssh --replacement-wait' | 'ssh --restart-refund' | 'ssh --role' | 'ssh --run-id' | 'ssh --scale-up-delay' | 'ssh --shutdown-timeout' | 'ssh --signals-to-handle' | 'ssh --spare-workers' | 'ssh --ssh-option' | 'ssh --start-method' | 'ssh --state-wait' | 'ssh --store-timeout' | 'ssh --straggler-timeout' | 'ssh --tee' | 'ssh -r' | 'ssh -t' | 'status --etcd-user' | 'status --rdzv-endpoint' | 'stop --etcd-user' | 'stop --rdzv-endpoint' | 'stop --timeout' | 'submit --bind-addr' | 'submit --checkpoint-every' | 'submit --checkpoint-parity' | 'submit --checkpoint-replicas' | 'submit --dashboard-port' | 'submit --drain-signal' | 'submit --duplicate-stderr-filters' | 'submit --duplicate-stdout-filters' | 'submit --env' | 'submit --etcd-user' | 'submit --event-log-handler' | 'submit --exclude-cool-down' | 'submit --exit-barrier-timeout' | 'submit --first-contact-timeout' | 'submit --hang-timeout' | 'submit --heartbeat-interval' | 'submit --java-opts' | 'submit --job-name' | 'submit --join-timeout' | 'submit --last-call-timeout' | 'submit --lease-ttl' | 'submit --local-addr' | 'submit --local-ranks-filter' | 'submit --local-replicas' | 'submit --log-max-files' | 'submit --log-max-size' | 'submit --log-prefix' | 'submit --logs-specs' | 'submit --main-class' | 'submit --master-addr' | 'submit --master-port' | 'submit --max-restarts' | 'submit --metrics-port' | 'submit --monitor-interval' | 'submit --nnodes' | 'submit --no-progress-limit' | 'submit --no-retry-exit-codes' | 'submit --node-rank' | 'submit --numa-binding' | 'submit --operation-timeout' | 'submit --otlp-endpoint' | 'submit --pause-timeout' | 'submit --peer-timeout' | 'submit --port-range' | 'submit --rdzv-conf' | 'submit --rdzv-endpoint' | 'submit --rdzv-id' | 'submit --ready-timeout' | 'submit --redirect' | 'submit --redirects' | 'submit --rejoin-back-off' | 'submit --replacement-wait' | 'submit --restart-refund' | 'submit --role' | 'submit --run-id' | 'submit --scale-up-delay' | 'submit --scheduler' | 'submit --scheduler-args' | 'submit --shutdown-timeout' | 'submit --signals-to-handle' | 'submit --spare-workers' | 'submit --start-method' | 'submit --state-wait' | 'submit --store-timeout' | 'submit --straggler-timeout' | 'submit --tee' | 'submit -r' | 'submit -t') echo '-' ;;
    ' --nproc-per-node' | 'doctor --nproc-per-node' | 'ssh --nproc-per-node' | 'submit --nproc-per-node') echo 'auto cpu gpu' ;;
    ' --restart-policy' | 'doctor --restart-policy' | 'ssh --restart-policy' | 'submit --restart-policy') echo 'hard soft soft-replace soft-elastic' ;;
    ' --class-path' | ' --config' | ' --etcd-ca' | ' --etcd-cert' | ' --etcd-key' | ' --etcd-password-file' | ' --java' | ' --policy-path' | ' --run-key-file' | ' --tls-ca' | ' --tls-cert' | ' --tls-key' | 'doctor --class-path' | 'doctor --config' | 'doctor --etcd-ca' | 'doctor --etcd-cert' | 'doctor --etcd-key' | 'doctor --etcd-password-file' | 'doctor --java' | 'doctor --policy-path' | 'doctor --run-key-file' | 'doctor --tls-ca' | 'doctor --tls-cert' | 'doctor --tls-key' | 'drain --etcd-ca' | 'drain --etcd-cert' | 'drain --etcd-key' | 'drain --etcd-password-file' | 'drain --policy-path' | 'drain --run-key-file' | 'drain --tls-ca' | 'drain --tls-cert' | 'drain --tls-key' | 'dump --etcd-ca' | 'dump --etcd-cert' | 'dump --etcd-key' | 'dump --etcd-password-file' | 'dump --policy-path' | 'dump --run-key-file' | 'dump --tls-ca' | 'dump --tls-cert' | 'dump --tls-key' | 'events --etcd-ca' | 'events --etcd-cert' | 'events --etcd-key' | 'events --etcd-password-file' | 'events --policy-path' | 'events --run-key-file' | 'events --tls-ca' | 'events --tls-cert' | 'events --tls-key' | 'explain --etcd-ca' | 'explain --etcd-cert' | 'explain --etcd-key' | 'explain --etcd-password-file' | 'explain --policy-path' | 'explain --run-key-file' | 'explain --tls-ca' | 'explain --tls-cert' | 'explain --tls-key' | 'list --etcd-ca' | 'list --etcd-cert' | 'list --etcd-key' | 'list --etcd-password-file' | 'list --policy-path' | 'list --run-key-file' | 'list --tls-ca' | 'list --tls-cert' | 'list --tls-key' | 'logs --etcd-ca' | 'logs --etcd-cert' | 'logs --etcd-key' | 'logs --etcd-password-file' | 'logs --policy-path' | 'logs --run-key-file' | 'logs --tls-ca' | 'logs --tls-cert' | 'logs --tls-key' | 'profile --etcd-ca' | 'profile --etcd-cert' | 'profile --etcd-key' | 'profile --etcd-password-file' | 'profile --policy-path' | 'profile --run-key-file' | 'profile --tls-ca' | 'profile --tls-cert' | 'profile --tls-key' | 'replay --etcd-ca' | 'replay --etcd-cert' | 'replay --etcd-key' | 'replay --etcd-password-file' | 'replay --policy-path' | 'replay --run-key-file' | 'replay --tls-ca' | 'replay --tls-cert' | 'replay --tls-key' | 'restart --etcd-ca' | 'restart --etcd-cert' | 'restart --etcd-key' | 'restart --etcd-password-file' | 'restart --policy-path' | 'restart --run-key-file' | 'restart --tls-ca' | 'restart --tls-cert' | 'restart --tls-key' | 'scale --etcd-ca' | 'scale --etcd-cert' | 'scale --etcd-key' | 'scale --etcd-password-file' | 'scale --policy-path' | 'scale --run-key-file' | 'scale --tls-ca' | 'scale --tls-cert' | 'scale --tls-key' | 'ssh --class-path' | 'ssh --config' | 'ssh --etcd-ca' | 'ssh --etcd-cert' | 'ssh --etcd-key' | 'ssh --etcd-password-file' | 'ssh --hosts' | 'ssh --java' | 'ssh --policy-path' | 'ssh --run-key-file' | 'ssh --tls-ca' | 'ssh --tls-cert' | 'ssh --tls-key' | 'status --etcd-ca' | 'status --etcd-cert' | 'status --etcd-key' | 'status --etcd-password-file' | 'status --policy-path' | 'status --run-key-file' | 'status --tls-ca' | 'status --tls-cert' | 'status --tls-key' | 'stop --etcd-ca' | 'stop --etcd-cert' | 'stop --etcd-key' | 'stop --etcd-password-file' | 'stop --policy-path' | 'stop --run-key-file' | 'stop --tls-ca' | 'stop --tls-cert' | 'stop --tls-key' | 'submit --class-path' | 'submit --config' | 'submit --etcd-ca' | 'submit --etcd-cert' | 'submit --etcd-key' | 'submit --etcd-password-file' | 'submit --java' | 'submit --policy-path' | 'submit --run-key-file' | 'submit --tls-ca' | 'submit --tls-cert' | 'submit --tls-key') echo 'f' ;;
    ' --rdzv-backend' | 'doctor --rdzv-backend' | 'drain --rdzv-backend' | 'dump --rdzv-backend' | 'events --rdzv-backend' | 'explain --rdzv-backend' | 'list --rdzv-backend' | 'logs --rdzv-backend' | 'profile --rdzv-backend' | 'replay --rdzv-backend' | 'restart --rdzv-backend' | 'scale --rdzv-backend' | 'ssh --rdzv-backend' | 'status --rdzv-backend' | 'stop --rdzv-backend' | 'submit --rdzv-backend') echo 'auto etcd embedded' ;;
    ' --engine' | 'doctor --engine' | 'ssh --engine' | 'submit --engine') echo 'auto none slurm kubernetes' ;;
    ' --class-data' | 'doctor --class-data' | 'ssh --class-data' | 'submit --class-data') echo 'auto off' ;;
    ' --runtime' | 'doctor --runtime' | 'ssh --runtime' | 'submit --runtime') echo 'none xgboost' ;;
    ' --bind-to' | 'doctor --bind-to' | 'ssh --bind-to' | 'submit --bind-to') echo 'none core numa' ;;
    ' --checkpoint-dir' | ' --log-dir' | 'chaos --output' | 'dashboard --serve' | 'doctor --checkpoint-dir' | 'doctor --log-dir' | 'events --log-dir' | 'explain --log-dir' | 'list --log-dir' | 'logs --log-dir' | 'replay --log-dir' | 'ssh --checkpoint-dir' | 'ssh --directory' | 'ssh --log-dir' | 'status --log-dir' | 'submit --checkpoint-dir' | 'submit --log-dir') echo 'd' ;;
    ' --log-level' | 'doctor --log-level' | 'ssh --log-level' | 'submit --log-level') echo 'error warn info debug' ;;
    ' --log-format' | 'doctor --log-format' | 'ssh --log-format' | 'submit --log-format') echo 'text json' ;;
    ' --on-state-loss' | 'doctor --on-state-loss' | 'ssh --on-state-loss' | 'submit --on-state-loss') echo 'restart fail' ;;
    'events --rdzv-id' | 'events --run-id' | 'explain --rdzv-id' | 'explain --run-id' | 'logs --rdzv-id' | 'logs --run-id' | 'replay --rdzv-id' | 'replay --run-id' | 'status --rdzv-id' | 'status --run-id') echo 'a' ;;
    'dashboard --rdzv-id' | 'dashboard --run-id' | 'drain --rdzv-id' | 'drain --run-id' | 'dump --rdzv-id' | 'dump --run-id' | 'profile --rdzv-id' | 'profile --run-id' | 'restart --rdzv-id' | 'restart --run-id' | 'scale --rdzv-id' | 'scale --run-id' | 'stop --rdzv-id' | 'stop --run-id') echo 'r' ;;
  esac
}

_elastic_run_flags() {
  case $1 in
    '') echo '--bind-addr --bind-to --checkpoint-dir --checkpoint-every --checkpoint-parity --checkpoint-replicas --class-data --class-path --config --dashboard-port --drain-signal --duplicate-stderr-filters --duplicate-stdout-filters --engine --env --etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --exclude-cool-down --first-contact-timeout --hang-timeout --heartbeat-interval --help --insecure --java --java-opts --join-timeout --last-call-timeout --lease-ttl --local-addr --local-ranks-filter --local-replicas --log-dir --log-format --log-level --log-max-files --log-max-size --log-prefix --main-class --max-restarts --metrics-port --module --nnodes --no-console --no-progress-limit --no-python --no-retry-exit-codes --node-rank --nproc-per-node --on-state-loss --once --operation-timeout --otlp-endpoint --pause-timeout --peer-timeout --policy-path --port-range --print-config --rdzv-backend --rdzv-endpoint --rdzv-id --ready-timeout --redirect --redirects --rejoin-back-off --replacement-wait --restart-policy --restart-refund --role --run-id --run-key-file --runtime --scale-up-delay --shutdown-timeout --spare-workers --standalone --state-wait --store-open-reads --store-timeout --straggler-timeout --tee --tls --tls-ca --tls-cert --tls-key --verbose --version --virtual-local-rank -h -m -r -t' ;;
    'status') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --log-dir --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --tls --tls-ca --tls-cert --tls-key --watch -h' ;;
    'logs') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --follow --help --insecure --log-dir --policy-path --rank --raw --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --tls --tls-ca --tls-cert --tls-key -f -h' ;;
    'events') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --follow --format --help --insecure --kind --log-dir --node --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --since --tls --tls-ca --tls-cert --tls-key -f -h' ;;
    'explain') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --log-dir --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --tls --tls-ca --tls-cert --tls-key -h' ;;
    'replay') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --format --help --insecure --log-dir --policy --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --tls --tls-ca --tls-cert --tls-key -h' ;;
    'dashboard') echo '--help --no-key --port --rdzv-id --run-id --serve -h' ;;
    'drain') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --force --help --insecure --json --no-wait --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --timeout --tls --tls-ca --tls-cert --tls-key --yes -h -y' ;;
    'scale') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --force --help --insecure --json --no-wait --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --timeout --tls --tls-ca --tls-cert --tls-key --yes -h -y' ;;
    'stop') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --no-wait --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --timeout --tls --tls-ca --tls-cert --tls-key --yes -h -y' ;;
    'restart') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --no-wait --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --timeout --tls --tls-ca --tls-cert --tls-key --yes -h -y' ;;
    'dump') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --tls --tls-ca --tls-cert --tls-key -h' ;;
    'profile') echo '--etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --policy-path --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --seconds --tls --tls-ca --tls-cert --tls-key -h' ;;
    'chaos') echo '--agents --calm --compare --every --faults --for --forecast --help --min-goodput --net --output --replace-after --seed -h' ;;
    'doctor') echo '--bind-addr --checkpoint-size --etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --java --java-opts --json --local-addr --log-dir --nnodes --nproc-per-node --port-range --rdzv-backend --rdzv-endpoint --rdzv-id --run-id --run-key-file --runtime --tls --tls-ca --tls-cert --tls-key --wait -h' ;;
    'submit') echo '--dry-run --help --job-name --scheduler --scheduler-args -h' ;;
    'list') echo '--all --etcd-ca --etcd-cert --etcd-key --etcd-password-file --etcd-user --help --insecure --json --log-dir --policy-path --rdzv-backend --rdzv-endpoint --run-key-file --tls --tls-ca --tls-cert --tls-key -h' ;;
    'cancel') echo '--help -h' ;;
    'ssh') echo '--directory --help --hosts --launcher --ssh-option -h' ;;
    'migrate') echo '--help -h' ;;
    'completion') echo '--help -h' ;;
  esac
}

_elastic_run_commands() {
  echo 'status logs events explain replay dashboard drain scale stop restart dump profile chaos doctor submit list cancel ssh migrate completion'
}

_elastic_run() {
  local IFS=$' \t\n' i=1 word='' cur='' prefix='' command='' flag='' state=start kind=''
  COMPREPLY=()
  while :; do
    word=${COMP_WORDS[$i]}
    # bash takes words apart at = and :
    while [ "$i" -lt "$COMP_CWORD" ]; do
      case $word${COMP_WORDS[$((i + 1))]} in
        "$word"[=:]* | *[=:]"${COMP_WORDS[$((i + 1))]}") i=$((i + 1)) word=$word${COMP_WORDS[$i]} ;;
        *) break ;;
      esac
    done
    [ "$i" -lt "$COMP_CWORD" ] || break
    if [ -n "$flag" ]; then
      flag=''
    elif [ "$state" != program ]; then
      case $word in
        --) state=program ;;
        -*=*) state=flags ;;
        -*)
          state=flags
          [ -z "$(_elastic_run_value "$command $word")" ] || flag=$word
          ;;
        *)
          case "$state $(_elastic_run_commands) " in
            start*" $word "*) command=$word state=flags ;;
            *) [ -n "$command" ] || state=program ;;
          esac
          ;;
      esac
    fi
    i=$((i + 1))
  done
  cur=$word
  if [ -n "$flag" ]; then
    kind=$(_elastic_run_value "$command $flag")
  elif [ "$state" = program ]; then
    kind=f
  else
    case $word in
      -*=*)
        kind=$(_elastic_run_value "$command ${word%%=*}") cur=${word#*=}
        case ${COMP_WORDS[$COMP_CWORD]} in -*=*) prefix=${word%%=*}= ;; esac
        ;;
      -*) kind=$(_elastic_run_flags "$command") ;;
      *)
        [ "$state" != start ] || COMPREPLY=($(compgen -W "$(_elastic_run_commands)" -- "$cur"))
        [ -n "$command" ] || kind=f
        ;;
    esac
  fi
  case $kind in
    '' | -) ;;
    f) IFS=$'\n' COMPREPLY+=($(compgen -f -P "$prefix" -- "${cur/#\~/$HOME}")) ;;
    d) IFS=$'\n' COMPREPLY+=($(compgen -d -P "$prefix" -- "${cur/#\~/$HOME}")) ;;
    r) COMPREPLY+=($(compgen -W "$(_elastic_run_runs)" -P "$prefix" -- "$cur")) ;;
    a) COMPREPLY+=($(compgen -W "$(_elastic_run_runs --all)" -P "$prefix" -- "$cur")) ;;
    *) COMPREPLY+=($(compgen -W "$kind" -P "$prefix" -- "$cur")) ;;
  esac
}
complete -o filenames -F _elastic_run elastic-run
